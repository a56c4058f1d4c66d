import { expect, test } from 'vitest';
import {
  addMonths,
  dayAt,
  daysOfMonth,
  hoursOf,
  instantOf,
  lanesOf,
  minuteAt,
  mondayOf,
  spanOn,
} from './days.ts';
import { dateOfDay, dayOfDate } from './roster-of.ts';

const paris = 'Europe/Paris';
const iso = (day: string, minute: number) => new Date(instantOf(dayOfDate(day), minute, paris)).toISOString();

test('a time of the plant is the instant at which its clocks first show it', () => {
  expect(iso('2026-11-16', 360)).toBe('2026-11-16T05:00:00.000Z');
  // Clocks go back from 03:00 to 02:00: the first of the two.
  expect(iso('2026-10-25', 150)).toBe('2026-10-25T00:30:00.000Z');
  // Clocks skip from 02:00 to 03:00.
  expect(iso('2026-03-29', 150)).toBe('2026-03-29T01:00:00.000Z');
  expect(iso('2026-03-29', 180)).toBe('2026-03-29T01:00:00.000Z');
});

test('days of 23 and 25 hours are known, and their minutes', () => {
  expect(['2026-03-29', '2026-10-25', '2026-11-16'].map((day) => hoursOf(dayOfDate(day), paris))).toEqual([
    23, 25, 24,
  ]);
  const noon = Date.parse('2026-10-25T11:00:00Z');
  expect([dayAt(noon, paris), minuteAt(noon, paris)]).toEqual([dayOfDate('2026-10-25'), 720]);
});

test('an override over midnight is shown on both days, and on no other', () => {
  const period = { from: Date.parse('2026-11-21T21:00:00Z'), to: Date.parse('2026-11-22T05:00:00Z') };
  const on = (date: string) => spanOn(period, dayOfDate(date), paris);
  expect(on('2026-11-21')).toEqual({ from: 1_320, to: 1_440 });
  expect(on('2026-11-22')).toEqual({ from: 0, to: 360 });
  expect(on('2026-11-23')).toBeUndefined();
  const whole = { from: Date.parse('2026-11-20T23:00:00Z'), to: Date.parse('2026-11-21T23:00:00Z') };
  expect(spanOn(whole, dayOfDate('2026-11-21'), paris)).toEqual({ from: 0, to: 1_440 });
  expect(spanOn(whole, dayOfDate('2026-11-22'), paris)).toBeUndefined();
});

test('a month is shown in whole weeks', () => {
  const days = daysOfMonth(dayOfDate('2026-11-16')).map(dateOfDay);
  expect([days[0], days.at(-1), days.length]).toEqual(['2026-10-26', '2026-12-06', 42]);
  expect(dateOfDay(mondayOf(dayOfDate('2026-11-22')))).toBe('2026-11-16');
  expect(dateOfDay(addMonths(dayOfDate('2026-01-31'), 1))).toBe('2026-02-28');
});

test('teams that are on duty together are drawn one above the other', () => {
  const at = { day: 1, week: 1 };
  const lanes = lanesOf([
    { ...at, teamId: 1, from: 0, to: 480 },
    { ...at, teamId: 2, from: 240, to: 720 },
    { ...at, teamId: 1, from: 480, to: 960 },
  ]);
  expect(lanes.map(({ lane }) => lane)).toEqual([0, 1, 0]);
});
