import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/**
 * Deletes up to `limit` old calls whose escalation is already deleted, with their attempts. Returns how many.
 */
export async function forgetCalls(
  { client, tenantId }: TenantTransaction,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await client.query({
    name: 'forget-old-calls',
    text: `with old as materialized (
             select c.id from calls c
             where c.tenant_id = $1 and c.requested_at < $2
               and not exists (select from escalations d where d.tenant_id = $1 and d.call_id = c.id)
             order by c.requested_at limit $3 for update skip locked
           ), attempts as (
             delete from call_attempts a using old where a.tenant_id = $1 and a.call_id = old.id
           )
           delete from calls c using old where c.tenant_id = $1 and c.id = old.id`,
    values: [tenantId, before, limit],
  });
  return rowCount ?? 0;
}
