import {
  durationsOf,
  failureStatisticOf,
  failureStatistics,
  formatDuration,
  formatInZone,
  interventionStatisticOf,
  interventionStatistics,
  matchesSearch,
  type Occurrence,
  searchTerms,
  searchText,
} from '@tocsin/domain';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { PageRequest } from '../http/page.ts';
import { createTenant } from '../people/create-tenant.ts';
import { dataServerStore } from '../plant/data-server.store.ts';
import { stationStore } from '../plant/station.store.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, readTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { test } from '../testing/plant.fixture.ts';
import { closeMonth } from './closed-month.store.ts';
import { readHistories } from './history.store.ts';
import { toAlarmHistory } from './history.wire.ts';
import { readInterventions } from './interventions.store.ts';
import { type OccurrenceFilter, textLimits } from './occurrence-filter.store.ts';
import { type OccurrenceScope, resolveScope } from './occurrence-scope.store.ts';
import { readStatistics } from './statistics.store.ts';
import { readAsDeepPage } from './testing/deep-page.fixture.ts';
import { writePast } from './testing/occurrences.fixture.ts';

const now = new Date('2026-03-01T00:00:00Z');
const zoneOf: Record<number, string> = { 1: 'Europe/Paris', 2: 'UTC', 3: 'Asia/Kolkata' };
const stationIds = [1, 2, 3];
const tagIds = [1, 2, 3, 4];
const tagGroupIds = [1, 2, 3, 4, 5];
const words = ['Pump', 'pümp house', 'fan', '100 %', '"', ''];

const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });

// Few distinct seconds, so that ends often meet or cross starts; over a month's end, so that partitions differ; around
// now; and where months begin in zones that are half hours away from UTC.
const instants = fc
  .tuple(
    fc.oneof(fc.integer({ min: -10_000, max: 10_000 }), fc.constantFrom(0, -1, 1)),
    fc.constantFrom(0, 0, 0, 1, -2, -5.5, -5.75, 12, -12),
    fc.constantFrom(0, 0, 0, -1, -2, -9, -27, -31, -59, -400, 1),
  )
  .map(([ms, hours, days]) => new Date(now.getTime() + ms + hours * 3_600_000 + days * 86_400_000));

const occurrences = fc.array(
  fc.record({
    raised: instants,
    acknowledged: maybe(instants),
    by: maybe(fc.constantFrom(0, 1, 2, 3)),
    reset: maybe(instants),
    tagId: fc.constantFrom(...tagIds),
    stationId: fc.constantFrom(...stationIds),
    dataServerId: fc.constantFrom(1, 2),
    tagGroupId: maybe(fc.constantFrom(...tagGroupIds)),
    callGroupIds: fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
    message: fc.constantFrom(...words),
    comment: fc.constantFrom(...words),
  }),
  { minLength: 1, maxLength: 40 },
);
type Past = typeof occurrences extends fc.Arbitrary<(infer Item)[]> ? Item & { id: number } : never;

const everyFilter = {
  visibleStationIds: fc.uniqueArray(fc.constantFrom(...stationIds)),
  stationId: fc.constantFrom(...stationIds, 9),
  dataServerId: fc.constantFrom(1, 2, 9),
  tagGroupId: fc.constantFrom(...tagGroupIds, 9),
  callGroupId: fc.constantFrom(1, 2, 3, 9),
  userId: fc.constantFrom(0, 1, 2, 3, 9),
  from: instants,
  to: instants,
  search: fc.constantFrom(...words, 'p', '%', 'pump fan', 'house "'),
};
const filters: fc.Arbitrary<OccurrenceFilter> = fc
  .tuple(fc.record(everyFilter), fc.subarray(Object.keys(everyFilter), { maxLength: 3 }))
  .map(([all, names]) => Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))));

/** For each group the one above it, which has a smaller number; none at the top. */
const trees = fc.tuple(
  ...tagGroupIds.map((id) =>
    id === 1 ? fc.constant(undefined) : maybe(fc.integer({ min: 1, max: id - 1 })),
  ),
);
const groupings = fc.tuple(trees, trees);
type Tree = typeof trees extends fc.Arbitrary<infer Value> ? Value : never;

/** Months before it are closed. */
const closings = fc.constantFrom(undefined, '2025-03-01Z', '2026-02-01Z', '2026-03-01Z');

const pages = fc.record({
  offset: fc.integer({ min: 0, max: 6 }),
  limit: fc.integer({ min: 0, max: 6 }),
  descending: fc.boolean(),
});

/** Every text is one too many, as where messages embed values. */
const textsOfSpans = { texts: -1, matching: 0, occurrences: 1_000 };

/** Filters that the sums know the days of, in or without a period. */
const deepFilters: fc.Arbitrary<OccurrenceFilter> = fc
  .tuple(
    fc.oneof(
      fc.record({ stationId: everyFilter.stationId }),
      fc.record({ tagGroupId: everyFilter.tagGroupId }),
      fc.record({ search: everyFilter.search }),
      fc.record({ userId: everyFilter.userId }),
    ),
    fc.oneof(fc.constant({}), fc.record({ from: instants }), fc.record({ to: instants })),
  )
  .map(([filter, period]) => Object.assign({}, filter, period));

const questions = fc.tuple(
  ...[filters, filters, filters, filters, deepFilters, deepFilters].map((filter) => fc.tuple(filter, pages)),
);

test('histories, statistics and interventions say what the domain makes of the occurrences they keep', async ({
  runtime,
  clock,
}) => {
  clock.set(now.toISOString());
  await runtime.database.pool.query('select make_partitions($1, 0)', [now]);
  const compared = { rows: 0, deep: 0 };
  await fc.assert(
    fc.asyncProperty(
      occurrences,
      groupings,
      closings,
      questions,
      async (given, [before, after], closing, asked) => {
        const past = asItHappens(given);
        const tenantId = await writePlant(runtime, { past, before, after, closing });
        await readTenant(runtime.database, tenantId, async (transaction) => {
          for (const [filter, page] of asked) {
            const kept = past.filter((occurrence) => keeps(filter, occurrence, after));
            compared.rows += kept.length;
            for (const limits of [textLimits, textsOfSpans]) {
              const scope = await resolveScope(transaction, filter, limits);
              compared.deep += await compareHistories(transaction, scope, page, kept);
              await compareStatistics(transaction, scope, page, kept);
              await compareInterventions(transaction, scope, page, kept);
            }
          }
        });
      },
    ),
    { numRuns: 120 },
  );
  expect(compared.rows).toBeGreaterThan(1_000);
  expect(compared.deep).toBeGreaterThan(100);
}, 120_000);

/**
 * Random rows made into what can happen: identifiers rise with time, a tag is raised anew only after it was reset or by
 * resetting it, and the acknowledger did acknowledge.
 */
function asItHappens(given: readonly Omit<Past, 'id'>[]): Past[] {
  const rising = given.toSorted((one, other) => one.raised.getTime() - other.raised.getTime());
  return rising.map((occurrence, index) => {
    const next = rising.slice(index + 1).find(({ tagId }) => tagId === occurrence.tagId);
    const { acknowledged, by, reset = next?.raised } = occurrence;
    return Object.assign({}, occurrence, { id: index + 1, reset, by: acknowledged && (by ?? 0) });
  });
}

/** A tenant for each run: what the others left behind must not show. Groups are moved after all has happened. */
async function writePlant(
  runtime: Runtime,
  { past, before, after, closing }: { past: Past[]; before: Tree; after: Tree; closing: string | undefined },
): Promise<number> {
  const tenantId = await createTenant(runtime, { name: 'Random', timeZone: zoneOf[1] ?? '' });
  await inTenant(runtime.database, tenantId, async (transaction) => {
    await stationStore.insert(transaction, { name: 'Second', timeZone: zoneOf[2] ?? '' });
    await stationStore.insert(transaction, { name: 'Third', timeZone: zoneOf[3] ?? '' });
    await dataServerStore.insert(transaction, { name: 'Second' });
    await writePast(transaction, {
      tags: tagIds.map((id) => ({ id })),
      tagGroups: tagGroupIds.map((id, index) => ({ id, parentId: before[index] })),
      occurrences: past,
    });
    for (const [index, parentId] of after.entries()) {
      await transaction
        .updateTable('tagGroups')
        .set({ parentId: parentId ?? null })
        .where('tenantId', '=', tenantId)
        .where('id', '=', index + 1)
        .execute();
    }
    if (closing !== undefined) while (await closeMonth(transaction, new Date(closing)));
  });
  return tenantId;
}

function keeps(filter: OccurrenceFilter, occurrence: Past, parents: Tree): boolean {
  const { from, to, search = '', callGroupId, tagGroupId, userId, visibleStationIds } = filter;
  const { raised, tagId, message, comment } = occurrence;
  const path = `P${tagId}`;
  return [
    from === undefined || raised >= from,
    to === undefined || raised < to,
    visibleStationIds === undefined || visibleStationIds.includes(occurrence.stationId),
    filter.stationId === undefined || occurrence.stationId === filter.stationId,
    filter.dataServerId === undefined || occurrence.dataServerId === filter.dataServerId,
    tagGroupId === undefined || isBelow(occurrence.tagGroupId, tagGroupId, parents),
    callGroupId === undefined || occurrence.callGroupIds.includes(callGroupId),
    userId === undefined || occurrence.by === userId,
    matchesSearch(searchText([path, path, message, comment]), searchTerms(search)),
  ].every(Boolean);
}

function isBelow(group: number | undefined, top: number, parents: Tree): boolean {
  return group !== undefined && (group === top || isBelow(parents[group - 1], top, parents));
}

function toDomain({ id, tagId, raised, acknowledged, by, reset }: Past): Occurrence {
  return {
    id,
    tagId,
    raisedAt: raised,
    ...(acknowledged && { acknowledgedAt: acknowledged }),
    ...(by && { acknowledgedBy: by }),
    ...(reset && { resetAt: reset }),
  };
}

function cut<Item>(rising: Item[], { offset, limit, descending }: PageRequest): Item[] {
  return (descending ? rising.toReversed() : rising).slice(offset, offset + limit);
}

async function compareHistories(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  page: PageRequest,
  kept: Past[],
): Promise<number> {
  const expected = kept.map((occurrence) => {
    const { id, tagId, stationId, raised, acknowledged, reset, message, comment } = occurrence;
    const { alarm, reaction, intervention } = durationsOf(toDomain(occurrence));
    const shown = (instant: Date) => formatInZone(zoneOf[stationId] ?? '', instant);
    return {
      id,
      tagId,
      tagName: `P${tagId}`,
      message,
      priority: 1,
      alarmTime: shown(raised),
      ...(acknowledged && { ackTime: shown(acknowledged) }),
      ...(reset && { resetTime: shown(reset) }),
      ...(alarm !== undefined && { alarmDuration: formatDuration(alarm) }),
      ...(reaction !== undefined && { reactionDuration: formatDuration(reaction) }),
      ...(intervention !== undefined && { interventionDuration: formatDuration(intervention) }),
      comment,
    };
  });
  const { rows, total } = await readHistories(transaction, scope, page);
  expect(rows.map(toAlarmHistory)).toStrictEqual(cut(expected, page));
  expect(total).toBe(expected.length);
  const deep = await readAsDeepPage(transaction, scope, { page, total });
  expect(deep ?? rows).toEqual(rows);
  return deep?.length ?? 0;
}

async function compareStatistics(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  page: PageRequest,
  kept: Past[],
): Promise<void> {
  const expected = [...failureStatistics(kept.map(toDomain), scope.until)].toSorted(byId);
  const { rows, total } = await readStatistics(transaction, scope, page);
  expect(rows.map((row) => [row.tagId, failureStatisticOf(row)])).toEqual(cut(expected, page));
  expect(total).toBe(expected.length);
}

async function compareInterventions(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  page: PageRequest,
  kept: Past[],
): Promise<void> {
  const expected = [...interventionStatistics(kept.map(toDomain))].toSorted(byId);
  const { rows, total } = await readInterventions(transaction, scope, page);
  expect(rows.map(({ userId, sums }) => [userId, interventionStatisticOf(sums)])).toEqual(
    cut(expected, page),
  );
  expect(total).toBe(expected.length);
}

function byId([left]: [number, unknown], [right]: [number, unknown]): number {
  return left - right;
}
