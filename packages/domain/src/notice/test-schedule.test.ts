import { expect, test } from 'vitest';
import { isTestDue } from './test-schedule.ts';

const schedule = { everyDays: 7, at: '10:00' };
const zone = 'Europe/Paris';
const due = (now: string, last?: string) =>
  isTestDue(schedule, {
    zone,
    now: new Date(now),
    lastTest: last === undefined ? undefined : new Date(last),
  });

test('people are tested from the given time on, by the clock of the station', () => {
  expect(due('2026-03-02T08:59:00Z')).toBe(false);
  expect(due('2026-03-02T09:00:00Z')).toBe(true);
  expect(due('2026-07-02T08:00:00Z'), 'in summer').toBe(true);
});

test('nobody is tested in the evening because a server was down in the morning', () => {
  expect(due('2026-03-02T12:59:00Z')).toBe(true);
  expect(due('2026-03-02T13:00:00Z')).toBe(false);
});

test('the days between two tests are those of the calendar', () => {
  expect(due('2026-03-09T09:00:00Z', '2026-03-02T11:30:00Z')).toBe(true);
  expect(due('2026-03-08T12:00:00Z', '2026-03-02T09:00:00Z')).toBe(false);
});
