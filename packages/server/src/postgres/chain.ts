import { sql } from 'kysely';
import { invalid } from '../common/problem.ts';
import type { TenantTransaction } from './tenant-transaction.ts';

/** Tables whose rows refer to another row of the same table, and the column of that reference. */
export type Chain =
  | { table: 'tagGroups'; column: 'parentId' }
  | { table: 'callGroupGroupings'; column: 'parentId' }
  | { table: 'callGroups'; column: 'reliefGroupId' };

/**
 * Refuses a reference from row `id` to `next` that would close a cycle. Exact only under `lockWrites`: two concurrent
 * changes could each be harmless and close a cycle together.
 */
export async function refuseCycle(
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
