import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** An object that calls the group, such as `scenario 3`: no foreign key protects these references. */
export async function findUseOfCallGroup(
  transaction: TenantTransaction,
  id: number,
): Promise<string | undefined> {
  const { tenantId } = transaction;
  const { rows } = await sql<{ used: string }>`
    select 'scenario ' || id as used from scenarios
    where tenant_id = ${tenantId} and ${id} = any(call_group_ids)
    union all
    select 'the alarm actions of tag ' || id from tags
    where tenant_id = ${tenantId} and ${id} = any(call_group_ids)
    union all
    select 'the dispatch settings, as the last resort' from tenants
    where id = ${tenantId} and fallback_call_group_id = ${id}
    limit 1`.execute(transaction);
  return rows[0]?.used;
}
