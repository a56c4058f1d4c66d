import { stateBits } from '@tocsin/domain';
import { currentAlarms } from '../alarms/store/current-alarms.store.ts';
import type { PageRequest } from '../http/page.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { groupAreas } from './area-of-group.ts';

export type ContextRow = {
  id: number;
  stationId: number;
  station: string;
  timeZone: string;
  tagGroupId: number | null;
  areaId: number | null;
  area: string | null;
  maskUntil: Date | null;
  maskReason: string | null;
  maskBy: string | null;
  repeats: number;
  nobodyToCall: boolean;
};

const condition = stateBits.active | stateBits.unacknowledged;
const masked = stateBits.maskedByUser | stateBits.maskedByRule;

/** As `GET /alarms` lists them. `$3` is null here; named so that both forms have the same parameters. */
const allCurrent = `
  from ${currentAlarms} join tags t on t.tenant_id = $1 and t.id = a.tag_id
  where r.tenant_id = $1 and ($2::bigint[] is null or t.station_id = any ($2)) and $3::bigint[] is null
    and a.state <> 0 and not (a.state & ${condition} = 0 and a.state & ${masked} <> 0)`;

/** An alarm that is named may be over, unless its tag was temporary. */
const named = `
  from alarms a join tags t on t.tenant_id = $1 and t.id = a.tag_id
  where a.tenant_id = $1 and ($2::bigint[] is null or t.station_id = any ($2))
    and a.tag_id = any ($3::bigint[]) and not (t.temporary and a.state & ${condition} = 0)`;

/** Whether an open escalation has found nobody on duty, and nobody was called since then. */
const nobodyToCall = `exists (select from escalations d
    join escalation_events n on n.tenant_id = $1 and n.escalation_id = d.id and n.kind = 'nobody-on-duty'
    where d.tenant_id = $1 and d.tag_id = p.tag_id and d.closed_at is null and not exists (select from call_attempts c
      where c.tenant_id = $1 and c.escalation_id = d.id and c.started_at >= n.at))`;

const page = (wanted: string, order: 'asc' | 'desc') => `
  with recursive ${groupAreas},
  page as (select a.tag_id, a.mask_until, a.mask_reason, a.mask_by, a.repeats, t.station_id, t.tag_group_id ${wanted}
    order by a.tag_id ${order} offset $4 limit $5)
  select p.tag_id as id, p.station_id as "stationId", s.localized_name as station, s.time_zone as "timeZone",
    p.tag_group_id as "tagGroupId", g.area_id as "areaId", g.area, p.mask_until as "maskUntil",
    p.mask_reason as "maskReason", p.mask_by as "maskBy", p.repeats,
    ${nobodyToCall} as "nobodyToCall"
  from page p join stations s on s.tenant_id = $1 and s.id = p.station_id
    left join group_areas g on g.id = p.tag_group_id
  order by p.tag_id ${order}`;

type Wanted = {
  stationIds: readonly number[] | undefined;
  /** Undefined: all current alarms. */
  ids: readonly number[] | undefined;
};

export async function listAlarmContexts(
  { client, tenantId }: TenantTransaction,
  { stationIds, ids }: Wanted,
  { offset, limit, descending }: PageRequest,
): Promise<{ rows: ContextRow[]; total: number }> {
  const values = [tenantId, stationIds ?? null, ids ?? null];
  const wanted = ids ? named : allCurrent;
  const { rows } = await client.query<ContextRow>(page(wanted, descending ? 'desc' : 'asc'), [
    ...values,
    offset,
    limit,
  ]);
  if (offset === 0 && rows.length < limit) return { rows, total: rows.length };
  const counted = await client.query<{ total: number }>(`select count(*) as total ${wanted}`, values);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}
