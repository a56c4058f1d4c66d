import { expect, test } from 'vitest';
import { formatInZone } from '../time/date-time.ts';
import { onDuty, type Roster } from './roster.ts';
import { rosterChanges, rosterGaps } from './roster-changes.ts';
import { swap } from './roster-swap.ts';

const zone = 'Europe/Paris';
const monday = { day: 1, startMinute: 480, endMinute: 960 };

const roster: Roster = {
  userIds: [5, 4],
  teams: [
    { id: 1, userIds: [11, 12] },
    { id: 2, userIds: [12, 21] },
    { id: 3, userIds: [] },
  ],
  slots: [{ teamId: 1, ...monday }],
  overrides: [],
};

const mondayNoon = new Date('2026-06-01T12:00:00+02:00');
const sundayNoon = new Date('2026-06-07T12:00:00+02:00');

function override(teamId: number, from: string, to: string) {
  return { teamId, startsAt: new Date(from), endsAt: new Date(to) };
}

const mondayOf = (teamId: number) =>
  override(teamId, '2026-06-01T10:00:00+02:00', '2026-06-01T14:00:00+02:00');

test('a group without slots has all its people on duty, always and in their order', () => {
  const group = { ...roster, slots: [] };
  expect(onDuty(group, zone, sundayNoon)).toEqual({ why: 'always', teamIds: [], userIds: [5, 4] });
});

test('a group without slots and people has nobody on duty', () => {
  const group = { ...roster, userIds: [], slots: [] };
  expect(onDuty(group, zone, sundayNoon)).toEqual({ why: 'nobody', teamIds: [], userIds: [] });
});

test('in its slot a team is on duty, in its order', () => {
  expect(onDuty(roster, zone, mondayNoon)).toEqual({ why: 'slot', teamIds: [1], userIds: [11, 12] });
});

test('outside all slots nobody is on duty, not even the people of the group', () => {
  expect(onDuty(roster, zone, sundayNoon)).toEqual({ why: 'nobody', teamIds: [], userIds: [] });
});

test.each([
  ['2026-06-01T07:59:59+02:00', []],
  ['2026-06-01T08:00:00+02:00', [1]],
  ['2026-06-01T15:59:59+02:00', [1]],
  ['2026-06-01T16:00:00+02:00', []],
])('a slot from 8 to 16: at %s team %j', (time, teamIds) => {
  expect(onDuty(roster, zone, new Date(time)).teamIds).toEqual(teamIds);
});

test('two slots at once: all are on duty, in the order of the teams, nobody twice', () => {
  const slots = [
    { teamId: 2, ...monday },
    { teamId: 1, ...monday },
    { teamId: 1, day: 1, startMinute: 660, endMinute: 900 },
  ];
  expect(onDuty({ ...roster, slots }, zone, mondayNoon)).toEqual({
    why: 'slot',
    teamIds: [1, 2],
    userIds: [11, 12, 21],
  });
});

test('an override replaces the slots', () => {
  const overridden = { ...roster, overrides: [mondayOf(2)] };
  expect(onDuty(overridden, zone, mondayNoon)).toEqual({ why: 'override', teamIds: [2], userIds: [12, 21] });
  expect(onDuty(overridden, zone, new Date('2026-06-01T14:00:00+02:00')).why).toBe('slot');
});

test('an override also replaces people who are always on duty', () => {
  const group = { ...roster, slots: [], overrides: [mondayOf(2)] };
  expect(onDuty(group, zone, mondayNoon).teamIds).toEqual([2]);
});

test('of several overrides the last one wins', () => {
  const overrides = [mondayOf(1), mondayOf(2)];
  expect(onDuty({ ...roster, overrides }, zone, mondayNoon).teamIds).toEqual([2]);
  expect(onDuty({ ...roster, overrides: overrides.toReversed() }, zone, mondayNoon).teamIds).toEqual([1]);
});

test('a team without people takes nobody off duty', () => {
  expect(onDuty({ ...roster, overrides: [mondayOf(3)] }, zone, mondayNoon).teamIds).toEqual([1]);
  expect(onDuty({ ...roster, overrides: [mondayOf(2), mondayOf(3)] }, zone, mondayNoon).teamIds).toEqual([2]);
});

test.each([3, 99])('in slots of team %i, which has no people, nobody is on duty', (teamId) => {
  expect(onDuty({ ...roster, slots: [{ teamId, ...monday }] }, zone, mondayNoon).why).toBe('nobody');
});

test('after a swap each team has the interval of the other', () => {
  const slots = [
    { teamId: 1, ...monday },
    { teamId: 2, day: 7, startMinute: 480, endMinute: 960 },
  ];
  const overrides = swap(
    override(1, '2026-06-01T08:00:00+02:00', '2026-06-01T16:00:00+02:00'),
    override(2, '2026-06-07T08:00:00+02:00', '2026-06-07T16:00:00+02:00'),
  );
  const intervals = rosterChanges(
    { ...roster, slots, overrides },
    zone,
    new Date('2026-06-01T00:00:00+02:00'),
    new Date('2026-06-15T00:00:00+02:00'),
  );
  const told = intervals
    .filter(({ why }) => why !== 'nobody')
    .map(({ startsAt, why, teamIds }) => `${formatInZone(zone, startsAt)} ${why} ${teamIds.join()}`);
  expect(told).toEqual([
    '2026-06-01T08:00:00+02:00 override 2',
    '2026-06-07T08:00:00+02:00 override 1',
    '2026-06-08T08:00:00+02:00 slot 1',
    '2026-06-14T08:00:00+02:00 slot 2',
  ]);
});

test('gaps are found up to the given number of days, and cut off there', () => {
  const from = new Date('2026-06-01T00:00:00+02:00');
  const told = rosterGaps(roster, zone, from, { days: 8 }).map(({ startsAt, endsAt }) =>
    [startsAt, endsAt].map((time) => formatInZone(zone, time)),
  );
  expect(told).toEqual([
    ['2026-06-01T00:00:00+02:00', '2026-06-01T08:00:00+02:00'],
    ['2026-06-01T16:00:00+02:00', '2026-06-08T08:00:00+02:00'],
    ['2026-06-08T16:00:00+02:00', '2026-06-09T00:00:00+02:00'],
  ]);
  expect(rosterGaps(roster, zone, from).at(-1)?.endsAt).toEqual(new Date('2026-07-01T00:00:00+02:00'));
});

test('a group that is always on duty has no gap', () => {
  expect(rosterGaps({ ...roster, slots: [] }, zone, mondayNoon)).toEqual([]);
});

test('an empty period has no changes', () => {
  expect(rosterChanges(roster, zone, mondayNoon, mondayNoon)).toEqual([]);
});

test('an unknown zone throws an error', () => {
  expect(() => onDuty(roster, 'Europe/Pariss', mondayNoon)).toThrow(RangeError);
});
