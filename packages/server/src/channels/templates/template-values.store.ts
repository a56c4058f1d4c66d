import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** The names that a template can use besides the message, as they are when it is sent. */
export type AttemptNames = {
  attemptId: number;
  person: string;
  name: string;
  path: string;
  value: string;
  dataServer: string;
  station: string;
  timeZone: string;
};

/** The names of attempts that call for an alarm. A tag that was deleted since has empty ones. */
export async function readAttemptNames(
  { client, tenantId }: TenantTransaction,
  attemptIds: readonly number[],
): Promise<Map<number, AttemptNames>> {
  const { rows } = await client.query<AttemptNames>({
    name: 'read-attempt-names',
    text: `
      select c.id as "attemptId", coalesce(u.name, '') as person, coalesce(t.localized_name, '') as name,
        coalesce(t.path, '') as path, coalesce(a.value, '') as value, coalesce(d.name, '') as "dataServer",
        coalesce(s.localized_name, '') as station, coalesce(s.time_zone, 'UTC') as "timeZone"
      from call_attempts c
      join escalations e on e.tenant_id = $1 and e.id = c.escalation_id
      left join users u on u.tenant_id = $1 and u.id = c.user_id
      left join tags t on t.tenant_id = $1 and t.id = e.tag_id
      left join alarms a on a.tenant_id = $1 and a.tag_id = e.tag_id
      left join stations s on s.tenant_id = $1 and s.id = t.station_id
      left join data_servers d on d.tenant_id = $1 and d.id = t.data_server_id
      where c.tenant_id = $1 and c.id = any ($2::bigint[])`,
    values: [tenantId, attemptIds],
  });
  return new Map(rows.map((row) => [row.attemptId, row]));
}
