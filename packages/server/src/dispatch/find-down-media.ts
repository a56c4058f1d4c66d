import type { MediumKind } from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { Dispatch } from './dispatch.ts';

/** The media that have channels of which none is worth trying just now. */
export async function findDownMedia(
  { channels, health }: Pick<Dispatch, 'channels' | 'health'>,
  transaction: TenantTransaction,
): Promise<Set<MediumKind>> {
  const { tenantId, now } = transaction;
  const all = await channels.of(transaction);
  const isWell = ({ id }: (typeof all)[number]) => health.isHealthy({ tenantId, channelId: id }, now);
  const served = new Set(all.filter(isWell).map(({ medium }) => medium));
  return new Set(all.map(({ medium }) => medium).filter((medium) => !served.has(medium)) as MediumKind[]);
}
