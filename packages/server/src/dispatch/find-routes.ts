import type { Facts, MediumKind } from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { Dispatch } from './dispatch.ts';

/** By which channels each medium can be reached just now. */
export type Routes = Required<Pick<Facts, 'routes' | 'down'>>;

/** The channels of each medium, and the media that have channels of which none is worth trying just now. */
export async function findRoutes(
  { channels, health }: Pick<Dispatch, 'channels' | 'health'>,
  transaction: TenantTransaction,
): Promise<Routes> {
  const { tenantId, now } = transaction;
  const all = await channels.of(transaction);
  const byMedium = Map.groupBy(all, ({ medium }) => medium as MediumKind);
  const isWell = (id: number) => health.isHealthy({ tenantId, channelId: id }, now);
  const routes = new Map([...byMedium].map(([medium, some]) => [medium, some.map(({ id }) => id)]));
  const down = [...routes].filter(([, ids]) => !ids.some(isWell)).map(([medium]) => medium);
  return { routes, down: new Set(down) };
}
