import { sql } from 'kysely';
import { invalid } from '../problem.ts';
import type { TenantTransaction } from './tenant-transaction.ts';

/** Tables whose rows point at another row of the same table, and the column that does. */
export type Chain =
  | { table: 'tagGroups'; column: 'parentId' }
  | { table: 'callGroupGroupings'; column: 'parentId' }
  | { table: 'callGroups'; column: 'reliefGroupId' };

/**
 * Refuses to let row `id` point at `next` when the chain from there comes back to it. Exact only under
 * `lockWrites`: two changes at once could each be harmless and make a ring together.
 */
export async function refuseRing(
  transaction: TenantTransaction,
  { table, column }: Chain,
  { id, next = 0 }: { id: number; next: number | undefined },
): Promise<void> {
  if (next === 0) return;
  const { tenantId } = transaction;
  const { rows } = await sql<{ id: number }>`
    with recursive chain (id, next) as (
      select id, ${sql.ref(column)} from ${sql.table(table)} where tenant_id = ${tenantId} and id = ${next}
      union
      select t.id, ${sql.ref(`t.${column}`)} from ${sql.table(table)} t
      join chain on t.id = chain.next where t.tenant_id = ${tenantId}
    )
    select id from chain where id = ${id}`.execute(transaction);
  if (rows.length > 0) throw invalid(`/${column}`, `${next} leads back to ${id}`);
}
