import {
  failureStatisticOf,
  failureStatistics,
  interventionStatisticOf,
  interventionStatistics,
  matchesSearch,
  type Occurrence,
  searchTerms,
  searchText,
} from '@tocsin/domain';
import { expect } from 'vitest';
import type { PageRequest } from '../../http/page.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { type OccurrenceRow, readHistories } from '../history.store.ts';
import { readInterventions } from '../interventions.store.ts';
import type { OccurrenceFilter } from '../occurrence-filter.store.ts';
import { resolveScope } from '../occurrence-scope.store.ts';
import { readStatistics } from '../statistics.store.ts';
import { readAsDeepPage } from './deep-page.fixture.ts';

/** An occurrence as its rows say it, with everything that can be filtered by. */
export type RawOccurrence = OccurrenceRow & {
  ackUserId: number | null;
  path: string;
  stationId: number;
  dataServerId: number;
  tagGroupId: number | null;
  callGroupIds: number[];
};

/** Everything that the histories contain, without a sum: the occurrences in order, and for each tag group the one above it. */
export type RawHistory = { occurrences: RawOccurrence[]; parents: ReadonlyMap<number, number | null> };

export async function readRawHistory({ client, tenantId }: TenantTransaction): Promise<RawHistory> {
  const { rows: occurrences } = await client.query<RawOccurrence>(
    `select o.id, o.tag_id as "tagId", o.priority, o.raised_at as "raisedAt", o.acknowledged_at as "acknowledgedAt",
       o.ack_user_id as "ackUserId", o.reset_at as "resetAt", x.message, x.comment, x.station_id as "stationId",
       x.data_server_id as "dataServerId", x.tag_group_id as "tagGroupId", x.call_group_ids as "callGroupIds",
       t.path, t.name as "tagName", s.time_zone as "timeZone"
     from occurrences o
     left join texts x on x.tenant_id = o.tenant_id and x.id = o.text_id and x.tag_id = o.tag_id
     left join tags t on t.tenant_id = o.tenant_id and t.id = o.tag_id
     left join stations s on s.tenant_id = o.tenant_id and s.id = x.station_id
     where o.tenant_id = $1 and o.raised_at >= history_start() order by o.id`,
    [tenantId],
  );
  const { rows: groups } = await client.query<{ id: number; parent_id: number | null }>(
    'select id, parent_id from tag_groups where tenant_id = $1',
    [tenantId],
  );
  return { occurrences, parents: new Map(groups.map(({ id, parent_id: parent }) => [id, parent])) };
}

/** Compares every answer to a question with a recount of the raw rows, and tells how many occurrences it was about. */
export async function expectRecounted(
  transaction: TenantTransaction,
  history: RawHistory,
  filter: OccurrenceFilter,
  page: PageRequest,
): Promise<number> {
  const kept = history.occurrences.filter((occurrence) => keeps(filter, occurrence, history.parents));
  const scope = await resolveScope(transaction, filter);

  const { rows, total } = await readHistories(transaction, scope, page);
  expect(total).toBe(kept.length);
  expect(rows).toEqual(cut(kept, page).map(shown));
  expect((await readAsDeepPage(transaction, scope, { page, total })) ?? rows).toEqual(rows);

  const until = filter.to && filter.to < transaction.now ? filter.to : transaction.now;
  const failures = [...failureStatistics(kept.map(toDomain), until)].toSorted(byId);
  const statistics = await readStatistics(transaction, scope, page);
  expect(statistics.rows.map((row) => [row.tagId, failureStatisticOf(row)])).toEqual(cut(failures, page));
  expect(statistics.total).toBe(failures.length);

  const taken = [...interventionStatistics(kept.map(toDomain))].toSorted(byId);
  const interventions = await readInterventions(transaction, scope, page);
  expect(interventions.rows.map(({ userId, sums }) => [userId, interventionStatisticOf(sums)])).toEqual(
    cut(taken, page),
  );
  expect(interventions.total).toBe(taken.length);
  for (const { userId, lastOccurrenceId } of interventions.rows) {
    expect(lastOccurrenceId).toBe(kept.findLast(({ ackUserId }) => ackUserId === userId)?.id);
  }
  return kept.length;
}

/** Whether an occurrence is what the filter asks for. */
export function keeps(
  filter: OccurrenceFilter,
  occurrence: RawOccurrence,
  parents: RawHistory['parents'],
): boolean {
  const { from, to, search = '', callGroupId, tagGroupId, userId, visibleStationIds } = filter;
  const { raisedAt, path, tagName, message, comment } = occurrence;
  const words = [path, tagName, message, comment].map((word) => word ?? '');
  return [
    from === undefined || raisedAt >= from,
    to === undefined || raisedAt < to,
    visibleStationIds === undefined || visibleStationIds.includes(occurrence.stationId),
    filter.stationId === undefined || occurrence.stationId === filter.stationId,
    filter.dataServerId === undefined || occurrence.dataServerId === filter.dataServerId,
    tagGroupId === undefined || isBelow(occurrence.tagGroupId, tagGroupId, parents),
    callGroupId === undefined || occurrence.callGroupIds.includes(callGroupId),
    userId === undefined || occurrence.ackUserId === userId,
    matchesSearch(searchText(words), searchTerms(search)),
  ].every(Boolean);
}

function isBelow(group: number | null, top: number, parents: RawHistory['parents']): boolean {
  return group !== null && (group === top || isBelow(parents.get(group) ?? null, top, parents));
}

function toDomain({ id, tagId, raisedAt, acknowledgedAt, ackUserId, resetAt }: RawOccurrence): Occurrence {
  return {
    id,
    tagId,
    raisedAt,
    ...(acknowledgedAt && { acknowledgedAt }),
    ...(ackUserId && { acknowledgedBy: ackUserId }),
    ...(resetAt && { resetAt }),
  };
}

function shown(occurrence: RawOccurrence): OccurrenceRow {
  const { id, tagId, tagName, message, comment, priority, raisedAt, acknowledgedAt, resetAt, timeZone } =
    occurrence;
  return { id, tagId, tagName, message, comment, priority, raisedAt, acknowledgedAt, resetAt, timeZone };
}

function cut<Item>(rising: readonly Item[], { offset, limit, descending }: PageRequest): Item[] {
  return (descending ? rising.toReversed() : rising).slice(offset, offset + limit);
}

function byId([left]: [number, unknown], [right]: [number, unknown]): number {
  return left - right;
}

/** What the sums say of the tenant, without those that came down to nothing. */
async function readSums({ client, tenantId }: TenantTransaction): Promise<Record<string, unknown[]>> {
  const sums: Record<string, unknown[]> = {};
  for (const [table, kept] of Object.entries(keptRows)) {
    const { rows } = await client.query<{ row: unknown }>(
      `select to_jsonb(t) as row from ${table} t where tenant_id = $1 and ${kept} order by 1`,
      [tenantId],
    );
    sums[table] = rows.map(({ row }) => row);
  }
  return sums;
}

const keptRows = {
  text_months:
    '(occurrences <> 0 or seconds <> 0 or 0 <> any (occurrences_by_day) or 0 <> any (seconds_by_day))',
  text_totals: 'occurrences <> 0',
  tag_years: 'true',
  user_days: 'true',
  user_hours: 'true',
  station_days: 'true',
  group_days: 'true',
  chatter_days: 'true',
  tag_raises: 'true',
};

const undo = new Error('undo');

/** Compares the sums with those that making them anew gives, and leaves them as they were. */
export async function expectRebuilt({ database }: Runtime, tenantId: number): Promise<void> {
  const comparing = inTenant(database, tenantId, async (transaction) => {
    const kept = await readSums(transaction);
    await transaction.client.query('select rebuild_roll_ups()');
    expect(kept).toEqual(await readSums(transaction));
    throw undo;
  });
  await comparing.catch((error: unknown) => {
    if (error !== undo) throw error;
  });
}

/** Identifiers have no gaps and rise with time, whatever the clock did. */
export function expectInOrder({ occurrences }: RawHistory): void {
  const first = occurrences[0]?.id ?? 1;
  expect(occurrences.map(({ id }) => id)).toEqual(occurrences.map((_, index) => first + index));
  const times = occurrences.map(({ raisedAt }) => raisedAt.getTime());
  expect(times).toEqual(times.toSorted((one, other) => one - other));
}
