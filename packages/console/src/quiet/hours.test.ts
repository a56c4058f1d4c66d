import { expect, test } from 'vitest';
import { axisEnd, firstHour, perHour } from './hours.ts';

const now = Date.UTC(2026, 10, 17, 10, 34);
const hour = 3_600_000;

test('the last bar is the hour that runs, the first one 23 hours earlier', () => {
  expect(firstHour(now)).toBe(Date.UTC(2026, 10, 16, 11));
  const bars = perHour([now - 60_000, now - 2 * hour, now - 2 * hour, firstHour(now)], now);
  expect(bars).toHaveLength(24);
  expect(bars.at(-1)).toEqual({ start: Date.UTC(2026, 10, 17, 10), count: 1 });
  expect(bars.at(-3)?.count).toBe(2);
  expect(bars[0]?.count).toBe(1);
});

test('alarms of other days are not counted', () => {
  const bars = perHour([now - 30 * hour, now + 2 * hour], now);
  expect(bars.every(({ count }) => count === 0)).toBe(true);
});

test('the axis ends at a round number, and two alarms look like few', () => {
  expect([0, 2, 10, 14, 21, 60, 130].map(axisEnd)).toEqual([10, 10, 10, 20, 50, 100, 200]);
});
