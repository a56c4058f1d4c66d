import type { SystemAlarmMore } from '../duties/system-alarm.store.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type UntoldAlarm = {
  path: string;
  raised: boolean;
  message: string;
  more: SystemAlarmMore;
  version: number;
};

/** The tenants, of all, in which something is to be told. */
export async function listUntold({ client, now }: TenantTransaction): Promise<number[]> {
  const { rows } = await client.query<{ tenant_id: number }>({
    name: 'untold-system-alarms',
    text: 'select tenant_id from untold_system_alarms($1) as tenant_id',
    values: [now],
  });
  return rows.map((row) => row.tenant_id);
}

/** The tenants, of all, in which something was told and may be over. */
export async function listRaised({ client }: TenantTransaction): Promise<number[]> {
  const { rows } = await client.query<{ tenant_id: number }>({
    name: 'raised-system-alarms',
    text: 'select tenant_id from raised_system_alarms() as tenant_id',
  });
  return rows.map((row) => row.tenant_id);
}

/** What is to be told in the tenant; nobody else takes it until then. */
export async function takeUntold(
  { client, tenantId, now }: TenantTransaction,
  until: Date,
): Promise<UntoldAlarm[]> {
  const { rows } = await client.query<UntoldAlarm>({
    name: 'take-untold-alarms',
    text: `update system_alarms set lease_until = $3
           where tenant_id = $1 and version <> told_version and (lease_until is null or lease_until <= $2)
           returning path, raised, message, more, version`,
    values: [tenantId, now, until],
  });
  return rows;
}

/** The alarm shows it. What has changed meanwhile is told next; what is over and told is forgotten. */
export async function saveTold(
  { client, tenantId }: TenantTransaction,
  { path, version }: UntoldAlarm,
): Promise<void> {
  await client.query({
    name: 'save-told-alarm',
    text: `update system_alarms set told_version = $3, lease_until = null where tenant_id = $1 and path = $2`,
    values: [tenantId, path, version],
  });
  await client.query({
    name: 'forget-told-alarm',
    text: `delete from system_alarms where tenant_id = $1 and path = $2 and version = told_version and not raised`,
    values: [tenantId, path],
  });
}

/** By kind and subject, what duties that still call somebody have noticed. */
export async function listNeeded({ client, tenantId }: TenantTransaction): Promise<Set<string>> {
  const { rows } = await client.query<{ needed: string }>({
    name: 'list-needed-alarms',
    text: `select distinct case n.kind when 'exhausted' then 'exhausted ' || d.tag_id
             else case n.detail ->> 'groupId' when '0'
               then 'user ' || coalesce(n.detail -> 'unreachable' -> 0 ->> 'userId', '0')
               else 'group ' || (n.detail ->> 'groupId') end end as needed
           from duties d join duty_notices n on n.tenant_id = $1 and n.duty_id = d.id
           where d.tenant_id = $1 and d.closed_at is null and d.state ->> 'closed' is null
             and n.kind in ('exhausted', 'nobody-on-duty')`,
    values: [tenantId],
  });
  return new Set(rows.flatMap(({ needed }) => needed ?? []));
}
