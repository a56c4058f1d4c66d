import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** The W3C `traceparent` of the calls for the current occurrence of an alarm; undefined if they are not traced. */
export async function findTraceParent(
  { client, tenantId }: TenantTransaction,
  tagId: number,
): Promise<string | undefined> {
  const { rows } = await client.query<{ trace_parent: string }>({
    name: 'find-trace-parent',
    text: `select d.trace_parent from alarms a
           join escalations d on d.tenant_id = $1 and d.occurrence_id = a.occurrence_id and d.occasion = 'raised'
           where a.tenant_id = $1 and a.tag_id = $2 and d.trace_parent is not null order by d.id desc limit 1`,
    values: [tenantId, tagId],
  });
  return rows[0]?.trace_parent;
}
