import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { watchClock } from '../testing/wall-clock.ts';
import { zones } from '../testing/zones.ts';
import { type DailyWindow, isInWindow, nextWindowChange } from './daily-window.ts';

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const window = (from: string, to: string, days = everyDay): DailyWindow => {
  const minute = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  return { days, startMinute: minute(from), endMinute: minute(to) };
};
const paris = (at: string) => Date.parse(at);

test.for<[string, DailyWindow, string, boolean]>([
  ['begins on the minute', window('22:00', '06:00'), '2026-01-14T22:00:00+01:00', true],
  ['has not begun a second before', window('22:00', '06:00'), '2026-01-14T21:59:59+01:00', false],
  ['goes on after midnight', window('22:00', '06:00'), '2026-01-15T00:00:00+01:00', true],
  ['lasts to its last second', window('22:00', '06:00'), '2026-01-15T05:59:59+01:00', true],
  ['ends on the minute', window('22:00', '06:00'), '2026-01-15T06:00:00+01:00', false],
  ['of Friday goes on on Saturday', window('22:00', '06:00', [5]), '2026-01-17T05:00:00+01:00', true],
  ['of Friday does not begin on Saturday', window('22:00', '06:00', [5]), '2026-01-17T22:00:00+01:00', false],
  ['of Sunday goes on on Monday', window('22:00', '06:00', [7]), '2026-01-19T03:00:00+01:00', true],
  ['within a day', window('08:00', '18:00', [1]), '2026-01-19T12:00:00+01:00', true],
  ['within a day, on another day', window('08:00', '18:00', [1]), '2026-01-20T12:00:00+01:00', false],
  ['of a whole day', window('00:00', '24:00', [3]), '2026-01-14T23:59:59+01:00', true],
  ['of a whole day has ended at midnight', window('00:00', '24:00', [3]), '2026-01-15T00:00:00+01:00', false],
  ['with equal times lasts a day', window('06:00', '06:00', [3]), '2026-01-15T05:59:00+01:00', true],
  ['with equal times ends after a day', window('06:00', '06:00', [3]), '2026-01-15T06:00:00+01:00', false],
  // At 02:00 clocks go forward to 03:00.
  ['ends by the clock in the short night', window('22:00', '06:00'), '2026-03-29T06:00:00+02:00', false],
  ['lasts until then in the short night', window('22:00', '06:00'), '2026-03-29T05:59:00+02:00', true],
  ['whose end is skipped has ended', window('22:00', '02:30'), '2026-03-29T03:00:00+02:00', false],
  ['whose start is skipped has begun', window('02:30', '06:00'), '2026-03-29T03:00:00+02:00', true],
  // At 03:00 clocks go back to 02:00.
  ['ends by the clock in the long night', window('22:00', '06:00'), '2026-10-25T06:00:00+01:00', false],
  ['lasts an hour more in the long night', window('22:00', '06:00'), '2026-10-25T05:30:00+01:00', true],
  ['that ends in the repeated hour ends', window('22:00', '02:30'), '2026-10-25T02:30:00+02:00', false],
  [
    'that ends in the repeated hour applies again',
    window('22:00', '02:30'),
    '2026-10-25T02:15:00+01:00',
    true,
  ],
])('a window in Paris %s', ([, given, at, expected]) => {
  expect(isInWindow(given, 'Europe/Paris', paris(at))).toBe(expected);
});

const minutes = fc.integer({ min: 0, max: 1_439 });
const windows = fc.record({
  days: fc.subarray(everyDay, { minLength: 1 }),
  startMinute: minutes,
  endMinute: fc.oneof(minutes, fc.constant(1_440)),
});
const times = fc
  .integer({ min: Date.UTC(2018, 0), max: Date.UTC(2028, 0) })
  .map((time) => time - (time % 60_000));

/** A window as people read it: the clock and the calendar on the wall. */
function isShownIn({ days, startMinute, endMinute }: DailyWindow, shown: number): boolean {
  const wall = new Date(shown);
  const day = wall.getUTCDay() || 7;
  const minute = wall.getUTCHours() * 60 + wall.getUTCMinutes();
  if (startMinute < endMinute) return days.includes(day) && startMinute <= minute && minute < endMinute;
  if (minute >= startMinute && days.includes(day)) return true;
  return minute < endMinute && days.includes(day === 1 ? 7 : day - 1);
}

test('a window follows the clock on the wall, in every zone and at every time', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), windows, times, (zone, given, time) => {
      for (const { time: at, shown } of watchClock(zone, time, time + 60_000))
        expect(isInWindow(given, zone, at)).toBe(isShownIn(given, shown));
    }),
    { numRuns: 1_000 },
  );
});

test('no window starts or ends before the next change', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.array(windows, { minLength: 1, maxLength: 3 }),
      times,
      (zone, given, time) => {
        const next = nextWindowChange(given, zone, time);
        expect(next).toBeGreaterThan(time);
        expect(next).toBeLessThanOrEqual(time + 86_400_000);
        for (const one of given)
          for (let at = time; at < next; at += 600_000)
            expect(isInWindow(one, zone, at)).toBe(isInWindow(one, zone, time));
      },
    ),
    { numRuns: 500 },
  );
});
