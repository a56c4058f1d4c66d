import { expect } from 'vitest';
import { readKpis } from '../history/kpis/read-kpis.ts';
import { givePast } from '../history/testing/occurrences.fixture.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { readTenant } from '../postgres/tenant-transaction.ts';
import { test } from '../testing/plant.fixture.ts';
import { closeMonths } from './close-months.ts';
import { dropOldMonths } from './drop-old-months.ts';

const months = [
  '2025-12-30T10:00:00Z',
  '2026-01-10T10:00:00Z',
  '2026-02-28T23:00:00Z',
  '2026-03-01T01:00:00Z',
];

async function givePump(runtime: Runtime): Promise<void> {
  await runtime.database.pool.query("select make_partitions('2025-12-01', 4)");
  await givePast(runtime, {
    tags: [{ id: 1, name: 'Pump' }],
    occurrences: months.map((raised, index) => ({ id: index + 1, tagId: 1, raised, reset: raised })),
  });
}

const read = (runtime: Runtime) =>
  readTenant(runtime.database, 1, async (transaction) => ({
    closed: await transaction.selectFrom('closedMonths').select('firstOpen').execute(),
    sums: (
      await transaction
        .selectFrom('tagRunningSums')
        .select(['month', 'before', 'days'])
        .where('tenantId', '=', 1)
        .orderBy('month')
        .execute()
    ).map(({ month, before, days }) => ({ month, before, days: days.join('') })),
  }));

const worstFrom = (runtime: Runtime, first: string) =>
  readTenant(runtime.database, 1, async (transaction) => {
    const [from, to] = [new Date(first), new Date('2026-04-01')];
    const period = { from, to, until: to, zone: 'UTC' };
    return (await readKpis(transaction, {}, { period, operators: 1 })).worst.items;
  });

const monthNumber = (year: number, month: number) => year * 12 + month - 1;
/** The running sums of a month with one alarm on this day. */
const alarmOn = (day: number) => '0'.repeat(day - 1) + '1'.repeat(32 - day);
const december = { month: monthNumber(2025, 12), before: 0, days: alarmOn(30) };
const january = { month: monthNumber(2026, 1), before: 1, days: alarmOn(10) };
const february = { month: monthNumber(2026, 2), before: 2, days: alarmOn(28) };
const march = { month: monthNumber(2026, 3), before: 3, days: alarmOn(1) };

test('a month is closed a day after it ended, and the months before with it', async ({ runtime, clock }) => {
  await givePump(runtime);
  clock.set('2026-03-01T10:00:00Z');
  await closeMonths(runtime);
  expect(await read(runtime)).toEqual({
    closed: [{ firstOpen: monthNumber(2026, 2) }],
    sums: [december, january],
  });

  clock.set('2026-03-02T10:00:00Z');
  await closeMonths(runtime);
  await closeMonths(runtime);
  expect(await read(runtime)).toEqual({
    closed: [{ firstOpen: monthNumber(2026, 3) }],
    sums: [december, january, february],
  });
});

test('key figures count what is left when months are deleted, also from before these on', async ({
  runtime,
  clock,
}) => {
  await givePump(runtime);
  clock.set('2026-04-05T10:00:00Z');
  await closeMonths(runtime);
  expect(await dropOldMonths(runtime, 2)).toEqual(['2025-12', '2026-01']);
  expect(await read(runtime)).toMatchObject({ sums: [february, march] });
  for (const from of ['2025-11-15', '2025-12-31', '2026-01-20', '2026-02-01'])
    expect(await worstFrom(runtime, from)).toMatchObject([{ tagId: 1, alarms: 2 }]);
  expect(await worstFrom(runtime, '2026-03-01')).toMatchObject([{ tagId: 1, alarms: 1 }]);
});

test('a tag that had its last alarm in a deleted month has no running sums', async ({ runtime, clock }) => {
  await runtime.database.pool.query("select make_partitions('2025-12-01', 4)");
  await givePast(runtime, {
    tags: [
      { id: 1, name: 'Pump' },
      { id: 2, name: 'Valve' },
    ],
    occurrences: months.map((raised, index) => ({
      id: index + 1,
      tagId: index === 0 ? 2 : 1,
      raised,
      reset: raised,
    })),
  });
  clock.set('2026-04-05T10:00:00Z');
  await closeMonths(runtime);
  await dropOldMonths(runtime, 2);
  const sums = await readTenant(runtime.database, 1, (transaction) =>
    transaction.selectFrom('tagRunningSums').select('tagId').distinct().where('tenantId', '=', 1).execute(),
  );
  expect(sums).toEqual([{ tagId: 1 }]);
});
