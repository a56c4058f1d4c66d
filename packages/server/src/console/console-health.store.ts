import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { isRecent } from './recent-changes.ts';

/** A time of the database, which JSON holds as text. */
type JsonTime = string;

export type HealthRow = {
  timeZone: string | null;
  lastAlarm: {
    id: number;
    name: string;
    message: string;
    priority: number;
    at: JsonTime;
    zone: string;
  } | null;
  sources: { id: number; name: string; stationId: number | null; zone: string; lastAt: JsonTime | null }[];
  media: { medium: string; channels: number; down: number; lastAt: JsonTime | null }[];
  lastTestAt: JsonTime | null;
  escalations: { open: number; overdue: number; oldest: JsonTime | null };
  endingMasks: {
    id: number;
    name: string;
    message: string;
    until: JsonTime;
    reason: string | null;
    by: string | null;
    zone: string;
  }[];
};

const maxMasks = 100;
const announcedSeconds = 3_600;

// `$1` is the tenant, `$2` the stations of the caller, null for all, `$3` the time.
const inScope = (station: string) => `($2::bigint[] is null or ${station} = any ($2))`;
const inScopeOrAll = (station: string) =>
  `($2::bigint[] is null or ${station} is null or ${station} = any ($2))`;

export const healthStatement = `
  with recent as materialized (select seq, tag_id, kind, at, station_id from journal where ${isRecent}),
  changed as materialized (select tag_id, max(at) as at from recent group by tag_id),
  seen as (
    select t.data_server_id, max(c.at) as at from changed c join tags t on t.tenant_id = $1 and t.id = c.tag_id
    group by 1),
  last_raise as (
    select tag_id, at from recent where kind = 'raised' and ${inScope('station_id')} order by seq desc limit 1),
  first_zone as (select time_zone from stations where tenant_id = $1 and ${inScope('id')} order by id limit 1)
  select
    (select time_zone from first_zone) as "timeZone",
    (select json_build_object('id', t.id, 'name', t.localized_name, 'message', t.alarm_message, 'priority', t.priority,
        'at', l.at, 'zone', s.time_zone)
      from last_raise l join tags t on t.tenant_id = $1 and t.id = l.tag_id
        join stations s on s.tenant_id = $1 and s.id = t.station_id) as "lastAlarm",
    coalesce((select json_agg(json_build_object('id', d.id, 'name', d.localized_name, 'stationId', d.station_id,
        'lastAt', seen.at, 'zone', coalesce(s.time_zone, (select time_zone from first_zone), 'UTC')) order by d.id)
      from data_servers d left join seen on seen.data_server_id = d.id
        left join stations s on s.tenant_id = $1 and s.id = d.station_id
      where d.tenant_id = $1 and ${inScopeOrAll('d.station_id')}), '[]') as sources,
    coalesce((select json_agg(m order by m.medium) from (
        select c.medium, count(*) as channels, count(*) filter (where h.down) as down, max(h.worked_at) as "lastAt"
        from channels c left join channel_health h on h.tenant_id = $1 and h.channel_id = c.id
        where c.tenant_id = $1 and c.enabled group by c.medium) m), '[]') as media,
    (select to_json(max(coalesce(a.acknowledged_at, a.ended_at, a.sent_at)))
      from reachability r join call_attempts a on a.tenant_id = $1 and a.escalation_id = r.escalation_id
      where r.tenant_id = $1 and a.status in ('Delivered', 'Acknowledged')) as "lastTestAt",
    (select json_build_object('open', count(*), 'overdue', count(*) filter (where e.due_at < $3),
        'oldest', min(e.due_at) filter (where e.due_at < $3))
      from escalations e where e.tenant_id = $1 and e.closed_at is null and e.occasion <> 'notice'
        and ${inScopeOrAll('e.station_id')}) as escalations,
    coalesce((select json_agg(m order by m.until, m.id) from (
        select t.id, t.localized_name as name, t.alarm_message as message, a.mask_until as until, a.mask_reason as reason,
          a.mask_by as by, s.time_zone as zone
        from alarms a join tags t on t.tenant_id = $1 and t.id = a.tag_id
          join stations s on s.tenant_id = $1 and s.id = t.station_id
        where a.tenant_id = $1 and a.mask_until > $3 and a.mask_until <= $3 + interval '${announcedSeconds} seconds'
          and ${inScope('t.station_id')}
        order by a.mask_until, t.id limit ${maxMasks}) m), '[]') as "endingMasks"`;

/** All but the people on duty, in one statement. */
export async function readHealth(
  { client, tenantId, now }: TenantTransaction,
  stationIds: readonly number[] | undefined,
): Promise<HealthRow> {
  const values = [tenantId, stationIds ?? null, now];
  const { rows } = await client.query<HealthRow>({
    name: 'read-console-health',
    text: healthStatement,
    values,
  });
  const [row] = rows;
  if (!row) throw new Error(`tenant ${tenantId} has no health`);
  return row;
}
