import type { Facts, MediumKind } from '@tocsin/domain';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { Dispatch } from './dispatch.ts';

/** The channels of each medium, and the media that are down. */
export type Routes = Required<Pick<Facts, 'routes' | 'down'>>;

/** Finds the channels of each medium, and the media whose channels are all down. */
export async function findRoutes(
  { channels, health }: Pick<Dispatch, 'channels' | 'health'>,
  transaction: TenantTransaction,
): Promise<Routes> {
  const { tenantId, now } = transaction;
  const all = await channels.of(transaction);
  const byMedium = Map.groupBy(all, ({ medium }) => medium as MediumKind);
  const isHealthy = (id: number) => health.isHealthy({ tenantId, channelId: id }, now);
  const routes = new Map([...byMedium].map(([medium, some]) => [medium, some.map(({ id }) => id)]));
  const down = [...routes].filter(([, ids]) => !ids.some(isHealthy)).map(([medium]) => medium);
  return { routes, down: new Set(down) };
}
