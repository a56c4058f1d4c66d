import { expect } from 'vitest';
import { addShiftTenant, measureShift } from '../../testing/busy-shift.ts';
import { query } from '../../testing/made-database.fixture.ts';
import { cloneDatabase, FakeClock, test } from '../../testing/plant.fixture.ts';

/** Alarms of a plant with partitions of more than five years, one of which was raised a month before. */
async function measureAfterYears() {
  const { url, drop } = await cloneDatabase();
  await query(url, "select make_partitions('2021-01-01Z', 66)");
  const clock = new FakeClock('2026-02-10T12:00:00Z');
  const { figures } = await measureShift(url, await addShiftTenant(url, clock), { clock, repeat: 1 });
  await drop();
  return figures;
}

test('alarms, calls and the hub touch the months that they need, however many there are', async () => {
  const figures = await measureAfterYears();
  const needed = ['02', '03'].flatMap((month) =>
    ['occurrences', 'journal', 'acknowledgments'].map((table) => `${table}_2026_${month}`),
  );
  const touched = [...figures].flatMap(([name, { months }]) => [...months].map((month) => ({ name, month })));
  expect(touched.filter(({ month }) => !needed.includes(month))).toEqual([]);
  // Otherwise the test would see nothing at all.
  expect(new Set(touched.map(({ month }) => month))).toEqual(new Set(needed));
  const statements = ['insert-occurrences', 'update-occurrences', 'find-occurrence-texts', 'save-alarms'];
  expect([...figures.keys()]).toEqual(expect.arrayContaining(statements));
});
