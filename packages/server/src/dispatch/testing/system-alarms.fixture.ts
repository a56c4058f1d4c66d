import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';

export type ReportedAlarm = {
  path: string;
  message: string;
  /** 3 active, 2 over and not acknowledged. */
  state: number;
  priority: number;
  stationId: number;
  occurrences: number;
  repeats: number;
};

/** The system alarms of the tenant, in the order of paths. */
export async function systemAlarms({ database }: Runtime, tenantId = 1): Promise<ReportedAlarm[]> {
  return inTenant(database, tenantId, async ({ client }) => {
    const { rows } = await client.query<ReportedAlarm>(
      `select t.path, t.alarm_message as message, a.state, t.priority, t.station_id as "stationId",
         (select count(*) from occurrences o where o.tenant_id = $1 and o.tag_id = t.id) as occurrences,
         (select coalesce(sum(o.repeats), 0) from occurrences o where o.tenant_id = $1 and o.tag_id = t.id) as repeats
       from tags t join alarms a on a.tenant_id = $1 and a.tag_id = t.id
       where t.tenant_id = $1 and t.path like 'tocsin/%' order by t.path`,
      [tenantId],
    );
    return rows;
  });
}
