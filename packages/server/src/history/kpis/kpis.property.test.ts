import { type AlarmKpis, largestKpiList } from '@tocsin/contract';
import { stateBits } from '@tocsin/domain';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { createTenant } from '../../people/create-tenant.ts';
import { dataServerStore } from '../../plant/data-server.store.ts';
import { stationStore } from '../../plant/station.store.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, readTenant, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { test } from '../../testing/plant.fixture.ts';
import type { OccurrenceFilter } from '../occurrence-filter.store.ts';
import { writePast } from '../testing/occurrences.fixture.ts';
import { keeps, type RawHistory, readRawHistory } from '../testing/recount.fixture.ts';
import type { KpiPeriod } from './kpi-period.ts';
import { readKpis } from './read-kpis.ts';
import { chatteringOf, recountRate, recountResponse, recountTags } from './testing/recount-kpis.fixture.ts';

const now = new Date('2026-03-29T12:00:00Z');
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const zones = ['Europe/Paris', 'UTC', 'Asia/Kolkata', 'America/New_York'];
const tagIds = [1, 2, 3, 4];

const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });

// A burst is short enough to be a flood, and to make its tags chatter. One is around the change of the clocks.
const bursts = fc.record({
  before: fc.oneof(
    fc.integer({ min: 0, max: 6 * dayMs }),
    fc.integer({ min: 10 * hourMs, max: 12 * hourMs }),
    fc.integer({ min: 20 * dayMs, max: 100 * dayMs }),
  ),
  spreadMs: fc.constantFrom(0, 40_000, 10 * minuteMs, hourMs),
  raises: fc.array(
    fc.record({
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      tagId: fc.constantFrom(...tagIds),
      acknowledged: maybe(fc.integer({ min: -5_000, max: 3 * hourMs })),
      reset: maybe(fc.integer({ min: 0, max: 2 * dayMs })),
      priority: fc.integer({ min: 1, max: 4 }),
      stationId: fc.constantFrom(1, 2, 3),
      dataServerId: fc.constantFrom(1, 2),
      tagGroupId: maybe(fc.constantFrom(1, 2)),
    }),
    { minLength: 8, maxLength: 30 },
  ),
});
const pasts = fc.array(bursts, { minLength: 1, maxLength: 4 });

const questions = fc.record({
  back: fc.oneof(
    fc.integer({ min: 12, max: 8 * 24 }).map((hours) => hours * hourMs),
    fc.integer({ min: dayMs, max: 8 * dayMs }),
    fc.integer({ min: 30 * dayMs, max: 110 * dayMs }),
    // The first of December, January, February and March in UTC.
    fc.constantFrom(118.5, 87.5, 56.5, 28.5).map((days) => days * dayMs),
  ),
  length: fc.oneof(
    { weight: 2, arbitrary: fc.integer({ min: dayMs, max: 9 * dayMs }) },
    fc.integer({ min: 32 * dayMs, max: 95 * dayMs }),
    fc.constantFrom(dayMs, 2 * dayMs, 7 * dayMs, minuteMs),
  ),
  zone: fc.constantFrom(...zones),
  operators: fc.constantFrom(1, 1, 2),
  filter: fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    fc.record({ stationId: fc.constantFrom(1, 2, 9) }),
    fc.record({ visibleStationIds: fc.uniqueArray(fc.constantFrom(1, 2, 3)) }),
    fc.record({ tagGroupId: fc.constantFrom(1, 2, 9) }),
    fc.record({ dataServerId: fc.constantFrom(1, 2), stationId: fc.constantFrom(1, 2) }),
    fc.record({ userId: fc.constantFrom(1, 2) }),
  ),
});
type Question = typeof questions extends fc.Arbitrary<infer Value> ? Value : never;

/** Whether months are closed before March or April, and whether old alarms are acknowledged and reset afterwards. */
const closings = fc.record({
  until: fc.constantFrom('2025-11-01', '2026-02-01', '2026-03-01', '2026-04-01'),
  changes: fc.boolean(),
});

async function closeMonthsBefore(
  transaction: TenantTransaction,
  { until, changes }: typeof closings extends fc.Arbitrary<infer Value> ? Value : never,
): Promise<void> {
  const close = sql<{ closed: boolean }>`select close_month(month_of(${until}::timestamptz)) as closed`;
  while ((await close.execute(transaction)).rows[0]?.closed);
  if (!changes) return;
  await sql`update occurrences set acknowledged_at = coalesce(acknowledged_at, raised_at + interval '90 seconds'),
      reset_at = coalesce(reset_at, raised_at + interval '5 minutes')
    where tenant_id = ${transaction.tenantId} and id % 3 = 0`.execute(transaction);
  await sql`update alarms a set state = state & ~${stateBits.active}::integer
    where tenant_id = ${transaction.tenantId} and exists (select from occurrences o
      where o.tenant_id = a.tenant_id and o.id = a.occurrence_id and o.reset_at is not null)`.execute(
    transaction,
  );
}

test('key figures say what counting the occurrences says, from sums and from rows', async ({
  runtime,
  clock,
}) => {
  clock.set(now.toISOString());
  await runtime.database.pool.query('select make_partitions($1, 5)', [new Date(now.getTime() - 150 * dayMs)]);
  const seen = { compared: 0, floods: 0, chattering: 0 };
  await fc.assert(
    fc.asyncProperty(
      pasts,
      fc.array(questions, { minLength: 8, maxLength: 8 }),
      closings,
      async (past, asked, closing) => {
        const tenantId = await writePlant(runtime, past);
        await inTenant(runtime.database, tenantId, (transaction) => closeMonthsBefore(transaction, closing));
        await readTenant(runtime.database, tenantId, async (transaction) => {
          const history = await readRawHistory(transaction);
          for (const question of asked) {
            const kpis = await expectKpis(transaction, history, question);
            seen.compared += kpis.alarms;
            seen.floods += kpis.flood.floods;
            seen.chattering += kpis.chattering.total;
          }
        });
      },
    ),
    { numRuns: 25 },
  );
  expect(seen.compared).toBeGreaterThan(600);
  expect(seen.floods).toBeGreaterThan(8);
  expect(seen.chattering).toBeGreaterThan(30);
}, 120_000);

async function expectKpis(
  transaction: TenantTransaction,
  history: RawHistory,
  { back, length, zone, operators, filter }: Question,
): Promise<AlarmKpis> {
  const from = new Date(now.getTime() - back);
  const to = new Date(from.getTime() + length);
  const period: KpiPeriod = { from, to, until: to < now ? to : now, zone };
  const kpis = await readKpis(transaction, filter, { period, operators });
  const asked: OccurrenceFilter = { ...filter, from, to };
  const kept = history.occurrences.filter((one) => keeps(asked, one, history.parents));

  expect(kpis).toMatchObject(recountResponse(kept));
  const { busiest, weekdays, days, ...flood } = recountRate(kept, period, operators);
  expect({ busiest: kpis.busiest?.alarms ?? 0, days: kpis.days, weekdays: kpis.weekdays }).toEqual({
    busiest,
    days,
    weekdays,
  });
  expect(kpis.flood).toMatchObject(flood);
  expect(kpis.alarmsPerHour).toBeCloseTo(
    (kept.length / (period.until.getTime() - from.getTime()) / operators) * hourMs,
    6,
  );
  if (kpis.tenMinutes) expect(kpis.tenMinutes.reduce((sum, { alarms }) => sum + alarms, 0)).toBe(kept.length);

  const tags = recountTags(kept);
  expect(kpis.worst.items.map(({ tagId, alarms }) => [tagId, alarms])).toEqual(tags.slice(0, largestKpiList));
  expect(kpis.worst.total).toBe(tags.length);
  expect(kpis.worst.items.at(-1)?.cumulativeShare ?? 1).toBeCloseTo(1, 9);
  const chattering = recountTags(chatteringOf(history.occurrences).filter((one) => kept.includes(one)));
  expect(kpis.chattering.items.map(({ tagId, alarms }) => [tagId, alarms])).toEqual(chattering);

  const priorities = [...Map.groupBy(kept, ({ priority }) => priority)];
  expect(kpis.priorities.map(({ priority, alarms }) => [priority, alarms])).toEqual(
    priorities
      .map(([priority, own]) => [priority, own.length])
      .toSorted(([one = 0], [other = 0]) => one - other),
  );
  const groups = Map.groupBy(kept, ({ tagGroupId }) => tagGroupId ?? 0);
  expect(kpis.groups).toHaveLength(groups.size);
  for (const { tagGroupId, name, ...response } of kpis.groups) {
    expect(response).toEqual(recountResponse(groups.get(tagGroupId) ?? []));
    expect(name).toBe(tagGroupId === 0 ? '' : `Group ${tagGroupId}`);
  }
  expectStale(kpis, history, { ...filter, until: period.until });
  return kpis;
}

/** A tag's last occurrence that was not reset is still active. */
function expectStale(
  kpis: AlarmKpis,
  { occurrences, parents }: RawHistory,
  { until, ...filter }: OccurrenceFilter & { until: Date },
): void {
  const latest = new Map(occurrences.map((occurrence) => [occurrence.tagId, occurrence]));
  const stale = [...latest.values()].filter(
    (one) => !one.resetAt && until.getTime() - one.raisedAt.getTime() > dayMs && keeps(filter, one, parents),
  );
  const idsOf = (tags: readonly { tagId: number }[]) => new Set(tags.map(({ tagId }) => tagId));
  expect(idsOf(kpis.stale.items)).toEqual(idsOf(stale));
  expect(kpis.stale.total).toBe(stale.length);
}

async function writePlant(
  runtime: Runtime,
  past: typeof pasts extends fc.Arbitrary<infer Value> ? Value : never,
) {
  const tenantId = await createTenant(runtime, { name: 'Random', timeZone: 'Europe/Paris' });
  const raises = past.flatMap(({ before, spreadMs, raises: own }) =>
    own.map(({ share, ...raise }) => ({
      ...raise,
      at: now.getTime() - before + Math.floor(share * spreadMs),
    })),
  );
  const rising = raises.filter(({ at }) => at < now.getTime()).toSorted((one, other) => one.at - other.at);
  const occurrences = rising.map(({ at, acknowledged, reset, ...rest }, index) => {
    const next = rising.slice(index + 1).find(({ tagId }) => tagId === rest.tagId);
    return Object.assign({}, rest, {
      id: index + 1,
      raised: new Date(at),
      acknowledged: acknowledged === undefined ? undefined : new Date(at + acknowledged),
      by: acknowledged === undefined ? undefined : (acknowledged + 5_000) % 3,
      reset: reset === undefined ? next && new Date(next.at) : new Date(at + reset),
    });
  });
  await inTenant(runtime.database, tenantId, async (transaction) => {
    await stationStore.insert(transaction, { name: 'Second', timeZone: 'UTC' });
    await stationStore.insert(transaction, { name: 'Third', timeZone: 'UTC' });
    await dataServerStore.insert(transaction, { name: 'Second' });
    await writePast(transaction, {
      tags: tagIds.map((id) => ({ id })),
      tagGroups: [{ id: 1 }, { id: 2 }],
      occurrences,
    });
  });
  return tenantId;
}
