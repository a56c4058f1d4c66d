import type { Rotation } from '../duties/duty-work.store.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** The numbers that a duty would draw now for call groups that take turns, without drawing them. */
export async function peekRotation(
  transaction: TenantTransaction,
  groupIds: readonly number[],
): Promise<Rotation> {
  const { rows } = await transaction.client.query<{ kind: string; last: number }>(
    'select kind, last from counters where tenant_id = $1 and kind = any ($2)',
    [transaction.tenantId, groupIds.map((id) => `turnover ${id}`)],
  );
  const last = new Map(rows.map(({ kind, last: number }) => [kind, number]));
  return Object.fromEntries(groupIds.map((id) => [id, (last.get(`turnover ${id}`) ?? 0) + 1]));
}
