import { stateBits } from '@tocsin/domain';
import { type RawBuilder, sql } from 'kysely';
import { callGroupsOfTag } from '../../alarms/store/alarm-reach.store.ts';
import { currentAlarms } from '../../alarms/store/current-alarms.store.ts';
import { searchMatches } from '../../postgres/collections/search.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { OccurrenceFilter } from '../occurrence-filter.store.ts';
import { matches } from '../occurrence-scope.store.ts';
import type { KpiScope } from './kpi-scope.store.ts';

type Tag = { tagId: number; tagName: string; message: string; priority: number; timeZone: string };
export type StaleRow = Tag & { since: Date };
export type MaskedRow = Tag & {
  since: Date | null;
  until: Date | null;
  user: string | null;
  reason: string | null;
};
type Listed<Row> = { total: number; items: Row[] };

const dayMs = 86_400_000;

/** Alarms that are still active and were so for more than a day at the end of the period, longest first. */
export async function readStale(
  transaction: TenantTransaction,
  { scope, period: { until } }: KpiScope,
  limit: number,
): Promise<Listed<StaleRow>> {
  const { tenantId } = transaction;
  const isOld = sql`a.state & ${stateBits.active} <> 0 and a.raised_at < ${new Date(until.getTime() - dayMs)}`;
  if (!(await isAny(transaction, isOld))) return { total: 0, items: [] };
  const { rows } = await sql<StaleRow & { total: number }>`
    select a.tag_id as "tagId", t.name as "tagName", t.alarm_message as message, o.priority,
      s.time_zone as "timeZone", o.raised_at as since, count(*) over () as total
    from ${sql.raw(currentAlarms)}
    cross join lateral (select * from occurrences o
      where o.tenant_id = ${tenantId} and o.id = a.occurrence_id and o.raised_at = a.raised_at limit 1) o
    join tags t on t.tenant_id = ${tenantId} and t.id = a.tag_id
    join stations s on s.tenant_id = ${tenantId} and s.id = t.station_id
    where r.tenant_id = ${tenantId} and a.state <> 0 and ${isOld} and ${matches(scope)}
    order by o.raised_at, a.tag_id limit ${limit}`.execute(transaction.withoutPlugins());
  return { total: rows[0]?.total ?? 0, items: rows };
}

/** Tags that have been masked by a person for more than a day now, longest first. */
export async function readMasked(
  transaction: TenantTransaction,
  { filter }: KpiScope,
  limit: number,
): Promise<Listed<MaskedRow>> {
  const { tenantId, now } = transaction;
  const isMasked = sql`a.state & ${stateBits.maskedByUser} <> 0`;
  if (!(await isAny(transaction, isMasked))) return { total: 0, items: [] };
  const { rows } = await sql<MaskedRow & { total: number }>`
    select a.tag_id as "tagId", t.name as "tagName", t.alarm_message as message, t.priority,
      s.time_zone as "timeZone", j.at as since, a.mask_until as until, a.mask_by as user, a.mask_reason as reason,
      count(*) over () as total
    from ${sql.raw(currentAlarms)}
    join tags t on t.tenant_id = ${tenantId} and t.id = a.tag_id
    join stations s on s.tenant_id = ${tenantId} and s.id = t.station_id
    left join lateral (select j.at from journal j
      where j.tenant_id = ${tenantId} and j.tag_id = a.tag_id and j.kind = 'masked' order by j.seq desc limit 1) j on true
    where r.tenant_id = ${tenantId} and a.state <> 0 and ${isMasked}
      and (j.at is null or j.at < ${new Date(now.getTime() - dayMs)}) and ${ofTags(filter)}
    order by j.at nulls first, a.tag_id limit ${limit}`.execute(transaction.withoutPlugins());
  return { total: rows[0]?.total ?? 0, items: rows };
}

/** Asked first, because planning a query over all months of a history takes longer than this one. */
async function isAny(transaction: TenantTransaction, condition: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from ${sql.raw(currentAlarms)}
      where r.tenant_id = ${transaction.tenantId} and a.state <> 0 and ${condition}) as found`.execute(
    transaction.withoutPlugins(),
  );
  return rows[0]?.found === true;
}

/** A masked tag may have no occurrence: the filter applies to the tag as it is today. */
function ofTags(filter: OccurrenceFilter): RawBuilder<unknown> {
  const { visibleStationIds, stationId, dataServerId, tagGroupId, callGroupId, search } = filter;
  const conditions = [
    sql`true`,
    visibleStationIds && sql`t.station_id = any (${[...visibleStationIds]}::bigint[])`,
    stationId !== undefined && sql`t.station_id = ${stationId}`,
    dataServerId !== undefined && sql`t.data_server_id = ${dataServerId}`,
    tagGroupId !== undefined && sql`t.tag_group_id in (select tag_group_subtree(${tagGroupId}))`,
    callGroupId !== undefined && sql`${sql.raw(callGroupsOfTag)} @> array[${callGroupId}::bigint]`,
    search && searchMatches('t.search_text', search),
  ];
  return sql.join(
    conditions.filter((condition) => typeof condition === 'object'),
    sql` and `,
  );
}
