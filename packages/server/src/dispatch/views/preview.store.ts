import type { Rotation } from '../../escalations/escalation-work.store.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** The rotation that an escalation would draw now for `Turnover` call groups, without drawing it. */
export async function peekRotation(
  transaction: TenantTransaction,
  groupIds: readonly number[],
): Promise<Rotation> {
  const { rows } = await transaction.client.query<{ kind: string; last: number }>(
    'select kind, last from id_counters where tenant_id = $1 and kind = any ($2)',
    [transaction.tenantId, groupIds.map((id) => `turnover ${id}`)],
  );
  const last = new Map(rows.map(({ kind, last: number }) => [kind, number]));
  return Object.fromEntries(groupIds.map((id) => [id, (last.get(`turnover ${id}`) ?? 0) + 1]));
}
