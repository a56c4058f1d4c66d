import { expect, test } from 'vitest';
import { onDuty, type Roster } from './roster.ts';
import { rosterChanges, rosterGaps } from './roster-changes.ts';

const day = (date: string) => Date.parse(`${date}T00:00:00Z`) / 86_400_000;
const at = (text: string) => new Date(`${text}:00Z`);
const allWeek = [1, 2, 3, 4, 5, 6, 7];

/** Team 1 (Anna 11, Ben 12) has the days, team 2 (Cleo 21) the nights. */
const plant: Roster = {
  userIds: [],
  teams: [
    { id: 1, userIds: [11, 12] },
    { id: 2, userIds: [21] },
  ],
  slots: allWeek.flatMap((weekday) => [
    { teamId: 2, day: weekday, startMinute: 0, endMinute: 480 },
    { teamId: 1, day: weekday, startMinute: 480, endMinute: 1_200 },
    { teamId: 2, day: weekday, startMinute: 1_200, endMinute: 1_440 },
  ]),
  overrides: [],
};
const period = { startsAt: at('2026-11-18T06:00'), endsAt: at('2026-11-18T22:00') };
const who = (roster: Roster, time: string) => onDuty(roster, 'UTC', at(time)).userIds;

test('somebody who stands in for one person is called in their place, beside the others', () => {
  const roster = { ...plant, overrides: [{ teamId: 0, userId: 31, replacesUserId: 11, ...period }] };
  expect(who(roster, '2026-11-18T09:00')).toEqual([31, 12]);
  expect(onDuty(roster, 'UTC', at('2026-11-18T09:00'))).toMatchObject({ why: 'override', teamIds: [1] });
  expect(who(roster, '2026-11-18T07:00')).toEqual([21]);
  expect(who(roster, '2026-11-19T09:00')).toEqual([11, 12]);
});

test('somebody who takes over is on duty alone', () => {
  const roster = { ...plant, overrides: [{ teamId: 0, userId: 31, ...period }] };
  expect(who(roster, '2026-11-18T09:00')).toEqual([31]);
  expect(who(roster, '2026-11-18T22:00')).toEqual([21]);
});

test('a stand-in can pass the duty on: overrides apply in the order of their list', () => {
  const first = { teamId: 0, userId: 31, replacesUserId: 11, ...period };
  const second = { teamId: 0, userId: 32, replacesUserId: 31, ...period };
  expect(who({ ...plant, overrides: [first, second] }, '2026-11-18T09:00')).toEqual([32, 12]);
  const everybody = { teamId: 2, ...period };
  expect(who({ ...plant, overrides: [first, everybody] }, '2026-11-18T09:00')).toEqual([21]);
  expect(who({ ...plant, overrides: [everybody, first] }, '2026-11-18T09:00')).toEqual([21]);
});

test('people on leave are not called, and a duty without anybody else is a gap', () => {
  const roster = {
    ...plant,
    leaves: [
      { userId: 11, startsAt: at('2026-11-18T00:00'), endsAt: at('2026-11-19T00:00') },
      { userId: 21, startsAt: at('2026-11-18T22:00'), endsAt: at('2026-11-19T06:00') },
    ],
  };
  expect(who(roster, '2026-11-18T09:00')).toEqual([12]);
  expect(rosterGaps(roster, 'UTC', at('2026-11-18T00:00'), { days: 3 })).toEqual([
    { startsAt: at('2026-11-18T22:00'), endsAt: at('2026-11-19T06:00') },
  ]);
});

test('a leave is covered by whoever stands in', () => {
  const away = { startsAt: at('2026-11-18T20:00'), endsAt: at('2026-11-19T08:00') };
  const leaves = [{ userId: 21, ...away }];
  const overrides = [{ teamId: 0, userId: 12, replacesUserId: 21, ...away }];
  expect(who({ ...plant, leaves, overrides }, '2026-11-18T23:00')).toEqual([12]);
});

test('people who cannot be called leave a gap, also where they stand in', () => {
  const roster = { ...plant, overrides: [{ teamId: 0, userId: 31, ...period }] };
  const canBeCalled = (userId: number) => userId !== 31;
  expect(rosterGaps(roster, 'UTC', at('2026-11-18T00:00'), { canBeCalled })).toEqual([period]);
});

test('a holiday has the slots of a Sunday', () => {
  const roster = {
    ...plant,
    slots: plant.slots.filter((slot) => slot.day !== 7 || slot.teamId === 2),
    holidays: [day('2026-12-25')],
  };
  const gaps = rosterGaps(roster, 'UTC', at('2026-12-25T00:00'), { days: 3 });
  expect(gaps).toEqual([
    { startsAt: at('2026-12-25T08:00'), endsAt: at('2026-12-25T20:00') },
    { startsAt: at('2026-12-27T08:00'), endsAt: at('2026-12-27T20:00') },
  ]);
});

test('teams take turns by the week, on each side of the year and of a clock change', () => {
  const roster: Roster = {
    ...plant,
    slots: allWeek.flatMap((weekday) =>
      [1, 2].map((team) => ({ teamId: team, day: weekday, startMinute: 0, endMinute: 1_440, week: team })),
    ),
    rotation: { weeks: 2, firstDay: day('2026-11-18') },
  };
  const handOvers = rosterChanges(roster, 'Europe/Paris', at('2026-03-01T00:00'), at('2027-02-01T00:00'));
  const turns = handOvers.slice(1, -1).map(({ teamIds }) => teamIds.join());
  expect(turns.every((turn, index) => turn !== turns[index - 1])).toBe(true);
  expect(turns).toHaveLength(48);
  const weekdays = handOvers
    .slice(1)
    .map(({ startsAt }) =>
      startsAt.toLocaleString('en', { timeZone: 'Europe/Paris', weekday: 'short', hour: 'numeric' }),
    );
  expect(new Set(weekdays)).toEqual(new Set(['Mon 12 AM']));
  expect(onDuty(roster, 'Europe/Paris', at('2026-11-22T12:00')).teamIds).toEqual([1]);
  expect(onDuty(roster, 'Europe/Paris', at('2026-11-23T12:00')).teamIds).toEqual([2]);
});
