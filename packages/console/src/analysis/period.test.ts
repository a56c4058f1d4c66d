import { expect, test } from 'vitest';
import { lastMonth, monthOf, periodOf, readPeriod } from './period.ts';

const zone = 'Europe/Paris';
const now = Date.parse('2026-11-17T09:12:40Z');
const iso = ({ from, to }: { from: number; to: number }) =>
  [from, to].map((ms) => new Date(ms).toISOString().replace('.000', ''));

test('a week is seven days of the plant, today included', () => {
  expect(iso(periodOf({ period: 'week' }, now, zone))).toEqual([
    '2026-11-10T23:00:00Z',
    '2026-11-17T23:00:00Z',
  ]);
});

test('a day is the last 24 hours, to the next ten minutes', () => {
  expect(iso(periodOf({ period: 'day' }, now, zone))).toEqual([
    '2026-11-16T09:20:00Z',
    '2026-11-17T09:20:00Z',
  ]);
});

test('chosen days are whole days, in whatever order, also when the clocks change', () => {
  const days = readPeriod({ from: '2026-10-26', to: '2026-10-24' });
  expect(iso(periodOf(days, now, zone))).toEqual(['2026-10-23T22:00:00Z', '2026-10-26T23:00:00Z']);
});

test('a period that the server would refuse is cut', () => {
  const { from, to } = periodOf({ from: '2020-01-01', to: '2026-10-24' }, now, zone);
  expect((to - from) / 86_400_000).toBeCloseTo(400, 1);
});

test('an address that makes no sense chooses nothing', () => {
  expect(readPeriod({ from: 'yesterday', to: '2026-10-24', period: 'ages' })).toEqual({ period: undefined });
});

test('a report is about the month before, in the time of the plant', () => {
  expect(lastMonth(now, zone)).toBe('2026-10');
  expect(lastMonth(Date.parse('2026-12-31T23:30:00Z'), zone)).toBe('2026-12');
  expect(iso(monthOf('2026-10', zone))).toEqual(['2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z']);
});
