import { expect, test } from 'vitest';
import type { Roster } from '../roster/roster.ts';
import { dutyBegins } from './duty-begins.ts';

const days = [1, 2, 3, 4, 5, 6, 7];
/** Ann and Ben by day, Ben and Cem at night. */
const roster: Roster = {
  userIds: [],
  teams: [
    { id: 1, userIds: [1, 2] },
    { id: 2, userIds: [2, 3] },
  ],
  slots: days.flatMap((day) => [
    { teamId: 2, day, startMinute: 0, endMinute: 360 },
    { teamId: 1, day, startMinute: 360, endMinute: 1_080 },
    { teamId: 2, day, startMinute: 1_080, endMinute: 1_440 },
  ]),
  overrides: [],
};
const zone = 'Europe/Paris';
const begins = (from: string, to: string, of: Roster = roster) =>
  dutyBegins(of, zone, new Date(from), new Date(to)).map(({ userId, startsAt }) => [
    userId,
    startsAt.toISOString(),
  ]);

test('the duty of the people of the next shift begins, by the clock of the station', () => {
  expect(begins('2026-03-02T16:30:00Z', '2026-03-02T17:00:00Z')).toEqual([[3, '2026-03-02T17:00:00.000Z']]);
  expect(begins('2026-03-02T16:30:00Z', '2026-03-02T16:59:00Z'), 'too early').toEqual([]);
  expect(begins('2026-03-02T17:00:00Z', '2026-03-02T17:30:00Z'), 'it has begun').toEqual([]);
});

test('a person who stays on duty begins no duty, nor does a shift that goes on after midnight', () => {
  expect(begins('2026-03-02T22:00:00Z', '2026-03-03T01:00:00Z')).toEqual([]);
});

test('an override begins a duty, too', () => {
  const startsAt = new Date('2026-03-02T10:00:00Z');
  const override = { teamId: 2, startsAt, endsAt: new Date('2026-03-02T12:00:00Z') };
  const changed = { ...roster, overrides: [override] };
  expect(begins('2026-03-02T09:30:00Z', '2026-03-02T10:30:00Z', changed)).toEqual([
    [3, '2026-03-02T10:00:00.000Z'],
  ]);
});

test('people without a roster are always on duty, and are not reminded', () => {
  const always = { userIds: [1], teams: [], slots: [], overrides: [] };
  expect(begins('2026-03-02T00:00:00Z', '2026-03-09T00:00:00Z', always)).toEqual([]);
});
