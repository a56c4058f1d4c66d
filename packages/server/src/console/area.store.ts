import type { AreaCount } from '@tocsin/contract';
import { stateBits } from '@tocsin/domain';
import { currentAlarms } from '../alarms/store/current-alarms.store.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { groupAreas } from './area-of-group.ts';
import { isRecent } from './recent-changes.ts';

export type AreaRow = {
  id: number;
  name: string;
  stationId: number;
  timeZone: string;
  /** Of the priorities that have any. */
  counts: AreaCount[];
  highestUnacknowledged: number | null;
  lastChange: Date | null;
  /** The last time at which an alarm of it was raised, reset or masked. */
  lastActivity: Date | null;
};

const { active, unacknowledged, maskedByUser, maskedByRule } = stateBits;
const condition = active | unacknowledged;
const masked = `a.state & ${maskedByUser | maskedByRule} <> 0`;

export const areasStatement = `
  with recursive ${groupAreas},
  recent as materialized (
    select tag_id, max(at) as at, max(at) filter (where kind in ('raised', 'repeated', 'reset', 'masked')) as active_at
    from journal where ${isRecent} group by tag_id),
  -- Materialized, because no index is searched for an expression under row-level security.
  changed as materialized (
    select tag_id, c.state, c.last_change, r.at, r.active_at
    from (select a.tag_id, a.state, a.last_change from ${currentAlarms} where r.tenant_id = $1 and a.state <> 0) c
      full join recent r using (tag_id)),
  touched as materialized (
    select coalesce(g.area_id, 0) as area_id, case when g.area_id is null then t.station_id else 0 end as station_id,
      least(greatest(t.priority, 1), 4) as priority, a.state, greatest(a.last_change, a.at) as at, a.active_at
    from changed a
      join tags t on t.tenant_id = $1 and t.id = a.tag_id
      left join group_areas g on g.id = t.tag_group_id
    where ($2::bigint[] is null or t.station_id = any ($2))
      and (a.state is null or a.state & ${condition} <> 0 or not t.temporary)),
  counted as materialized (
    select area_id, station_id, priority,
      count(*) filter (where a.state & ${active} <> 0 and not ${masked}) as active,
      count(*) filter (where a.state & ${condition} = ${condition} and not ${masked}) as unacknowledged,
      count(*) filter (where a.state & ${condition} = ${unacknowledged} and not ${masked}) as returned,
      count(*) filter (where ${masked}) as masked,
      max(at) as at, max(active_at) as active_at
    from touched a group by area_id, station_id, priority),
  areas as (
    select g.id, g.localized_name as name, coalesce(g.station_id, 0) as station_id
    from group_areas a join tag_groups g on g.tenant_id = $1 and g.id = a.id where a.id = a.area_id
    union all
    select 0, s.localized_name, s.id from stations s
    where s.tenant_id = $1 and ($2::bigint[] is null or s.id = any ($2))
      and (exists (select from counted c
          where c.area_id = 0 and c.station_id = s.id and c.active + c.returned + c.masked > 0)
        or not exists (select from tag_groups g where g.tenant_id = $1 and g.parent_id is null and g.station_id = s.id)))
  select r.id, r.name, r.station_id as "stationId",
    (select s.time_zone from stations s where s.tenant_id = $1 order by s.id = r.station_id desc, s.id limit 1) as "timeZone",
    coalesce(json_agg(json_build_object('priority', c.priority, 'active', c.active, 'unacknowledged', c.unacknowledged,
      'returned', c.returned, 'masked', c.masked)) filter (where c.priority is not null), '[]') as counts,
    min(c.priority) filter (where c.unacknowledged + c.returned > 0) as "highestUnacknowledged",
    max(c.at) as "lastChange", max(c.active_at) as "lastActivity"
  from areas r left join counted c on c.area_id = r.id and (r.id > 0 or c.station_id = r.station_id)
  group by r.id, r.name, r.station_id order by r.station_id, r.id = 0, r.id`;

/** The areas that a caller limited to these stations may see, in one statement; undefined stands for all stations. */
export async function readAreas(
  { client, tenantId }: TenantTransaction,
  stationIds: readonly number[] | undefined,
): Promise<AreaRow[]> {
  const { rows } = await client.query<AreaRow>({
    name: 'read-areas',
    text: areasStatement,
    values: [tenantId, stationIds ?? null],
  });
  return rows;
}
