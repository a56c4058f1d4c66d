import { expect } from 'vitest';
import { givePast } from '../history/testing/occurrences.fixture.ts';
import { dropOldestMonth } from '../postgres/partitions.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { readTenant } from '../postgres/tenant-transaction.ts';
import { test } from '../testing/plant.fixture.ts';
import { closeMonths } from './close-months.ts';

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
    years: await transaction
      .selectFrom('tagYearAlarms')
      .select(['year', 'alarms'])
      .where('tenantId', '=', 1)
      .orderBy('year')
      .execute(),
  }));

const monthNumber = (year: number, month: number) => year * 12 + month - 1;
const december = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];

test('a month is closed a day after it ended, and the months before with it', async ({ runtime, clock }) => {
  await givePump(runtime);
  clock.set('2026-03-01T10:00:00Z');
  await closeMonths(runtime);
  expect(await read(runtime)).toEqual({
    closed: [{ firstOpen: monthNumber(2026, 2) }],
    years: [
      { year: 2025, alarms: december },
      { year: 2026, alarms: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
    ],
  });

  clock.set('2026-03-02T10:00:00Z');
  await closeMonths(runtime);
  await closeMonths(runtime);
  expect(await read(runtime)).toEqual({
    closed: [{ firstOpen: monthNumber(2026, 3) }],
    years: [
      { year: 2025, alarms: december },
      { year: 2026, alarms: [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
    ],
  });
});

test('a month that is deleted leaves the sums of its year', async ({ runtime, clock }) => {
  await givePump(runtime);
  clock.set('2026-04-05T10:00:00Z');
  await closeMonths(runtime);
  for (const month of ['2025-12', '2026-01'])
    expect(await dropOldestMonth(runtime.database, 2)).toContain(month);
  const { years } = await read(runtime);
  expect(years).toEqual([{ year: 2026, alarms: [0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0] }]);
});
