import type { BareTransaction } from '../../postgres/tenant-transaction.ts';

/**
 * Forgets up to `limit` alarms at rest since then, and returns their number. It locks their rows: a raise waits for it and then
 * finds that the alarm is forgotten. Those that are being written meanwhile are left for the next time.
 */
export async function forgetRestingAlarms(
  { client, tenantId }: BareTransaction,
  restingSince: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await client.query({
    name: 'forget-resting-alarms',
    text: `with resting as materialized (
             select a.tag_id from recent_alarms r join alarms a using (tenant_id, tag_id)
             where r.tenant_id = $1 and a.state = 0 and a.last_change < $2
             order by a.tag_id limit $3 for update of a skip locked
           )
           delete from recent_alarms r using resting where r.tenant_id = $1 and r.tag_id = resting.tag_id`,
    values: [tenantId, restingSince, limit],
  });
  return rowCount ?? 0;
}
