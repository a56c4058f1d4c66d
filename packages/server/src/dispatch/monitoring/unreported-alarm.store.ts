import type { SystemAlarmExtras } from '../../escalations/system-alarm.store.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

export type UnreportedAlarm = {
  path: string;
  raised: boolean;
  message: string;
  extraMembers: SystemAlarmExtras;
  version: number;
};

/** Lists all tenants with system alarms to report. */
export async function listUnreported({ client, now }: TenantTransaction): Promise<number[]> {
  const { rows } = await client.query<{ tenant_id: number }>({
    name: 'list-unreported-system-alarms',
    text: 'select tenant_id from unreported_system_alarms($1) as tenant_id',
    values: [now],
  });
  return rows.map((row) => row.tenant_id);
}

/** Lists all tenants with raised system alarms. */
export async function listRaised({ client }: TenantTransaction): Promise<number[]> {
  const { rows } = await client.query<{ tenant_id: number }>({
    name: 'list-raised-system-alarms',
    text: 'select tenant_id from raised_system_alarms() as tenant_id',
  });
  return rows.map((row) => row.tenant_id);
}

/** Claims the system alarms to report in the tenant, until then. */
export async function claimUnreported(
  { client, tenantId, now }: TenantTransaction,
  until: Date,
): Promise<UnreportedAlarm[]> {
  const { rows } = await client.query<UnreportedAlarm>({
    name: 'claim-unreported-alarms',
    text: `update system_alarms set lease_until = $3
           where tenant_id = $1 and version <> reported_version and (lease_until is null or lease_until <= $2)
           returning path, raised, message, extra_members as "extraMembers", version`,
    values: [tenantId, now, until],
  });
  return rows;
}

/** Marks a version as reported. A newer version is reported next; an alarm that is over is deleted. */
export async function markReported(
  { client, tenantId }: TenantTransaction,
  { path, version }: UnreportedAlarm,
): Promise<void> {
  await client.query({
    name: 'mark-alarm-reported',
    text: `update system_alarms set reported_version = $3, lease_until = null where tenant_id = $1 and path = $2`,
    values: [tenantId, path, version],
  });
  await client.query({
    name: 'delete-reported-alarm',
    text: `delete from system_alarms where tenant_id = $1 and path = $2 and version = reported_version and not raised`,
    values: [tenantId, path],
  });
}

/** Lists kind and subject of the system alarms that open escalations still need. */
export async function listNeeded({ client, tenantId }: TenantTransaction): Promise<Set<string>> {
  const { rows } = await client.query<{ needed: string }>({
    name: 'list-needed-alarms',
    text: `select distinct case n.kind when 'exhausted' then 'exhausted ' || d.tag_id
             else case n.detail ->> 'groupId' when '0'
               then 'user ' || coalesce(n.detail -> 'unreachable' -> 0 ->> 'userId', '0')
               else 'group ' || (n.detail ->> 'groupId') end end as needed
           from escalations d join escalation_events n on n.tenant_id = $1 and n.escalation_id = d.id
           where d.tenant_id = $1 and d.closed_at is null and d.state ->> 'closed' is null
             and n.kind in ('exhausted', 'nobody-on-duty')`,
    values: [tenantId],
  });
  return new Set(rows.flatMap(({ needed }) => needed ?? []));
}
