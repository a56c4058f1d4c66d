import { expect, test } from 'vitest';
import {
  assign,
  change,
  countChanges,
  type Draft,
  remove,
  rotate,
  type Slot,
  setHoliday,
  takeTurns,
  toBody,
  toDraft,
} from './draft.ts';

type Place = { day?: number; week?: number };
const slot = (teamId: number, from: number, to: number, { day = 1, week = 1 }: Place = {}): Slot => ({
  teamId,
  day,
  week,
  from: from * 60,
  to: to * 60,
});
const draft = (...slots: Slot[]): Draft => ({
  teams: [
    { id: 1, name: 'Team A', userIds: [1] },
    { id: 2, name: 'Team B', userIds: [2] },
  ],
  slots,
  slotMinutes: 60,
  weeks: 1,
  start: '1970-01-05',
  holidays: [],
});
const said = ({ slots }: Draft) => slots.map(({ teamId, from, to }) => [teamId, from / 60, to / 60]);

test('a team that gets a time takes it from the others', () => {
  expect(said(assign(draft(slot(1, 0, 24)), slot(2, 8, 16)))).toEqual([
    [1, 0, 8],
    [2, 8, 16],
    [1, 16, 24],
  ]);
  expect(said(assign(draft(slot(1, 0, 24, { day: 2 })), slot(2, 8, 16)))).toEqual([
    [2, 8, 16],
    [1, 0, 24],
  ]);
});

test('a team beside another one leaves it on duty', () => {
  expect(said(assign(draft(slot(1, 0, 24)), slot(2, 8, 16), { beside: true }))).toEqual([
    [1, 0, 24],
    [2, 8, 16],
  ]);
});

test('slots of a team that touch become one', () => {
  expect(said(assign(draft(slot(1, 0, 8), slot(1, 12, 24)), slot(1, 8, 12)))).toEqual([[1, 0, 24]]);
});

test('a slot that was moved leaves a gap where it was', () => {
  const before = draft(slot(1, 0, 8), slot(2, 8, 16));
  expect(said(change(before, slot(1, 0, 8), slot(1, 1, 9)))).toEqual([
    [1, 1, 9],
    [2, 9, 16],
  ]);
  expect(said(remove(before, slot(2, 8, 16)))).toEqual([[1, 0, 8]]);
});

const group = {
  id: 3,
  name: 'Process',
  localizedName: 'Process',
  lastChange: '2026-11-16T08:00:00',
  stationId: 1,
  mode: 'Sequential' as const,
  userIds: [],
  teams: [{ id: 1, name: 'Team A', userIds: [1] }],
  roster: {
    slotMinutes: 60 as const,
    slots: [
      { teamId: 1, day: 1, start: '00:00', end: '24:00' },
      { teamId: 1, day: 2, start: '08:00', end: '16:00', week: 2 },
    ],
    overrides: [{ teamId: 1, from: '2026-11-18T18:00:00+01:00', to: '2026-11-18T22:00:00+01:00' }],
    rotation: { weeks: 3, start: '2026-11-16' },
    holidays: [{ date: '2026-12-25', name: 'Christmas' }],
  },
  ackTimeout: 120,
  attempts: 3,
  cycles: 3,
  reliefGroupId: 0,
  groupingId: 0,
};

test('a roster that nobody has changed is sent as it was read', () => {
  const { id: _id, lastChange: _change, ...body } = group;
  expect(toBody(group, toDraft(group))).toEqual(body);
  expect(countChanges(toDraft(group), toDraft(group))).toBe(0);
});

test('changes are counted', () => {
  const before = toDraft(group);
  const planned = slot(1, 8, 16, { day: 2, week: 2 });
  const after = setHoliday(
    change(before, planned, slot(1, 9, 16, { day: 2, week: 2 })),
    '2026-12-26',
    'Boxing Day',
  );
  expect(countChanges(before, after)).toBe(2);
  expect(countChanges(before, setHoliday(after, '2026-12-26', undefined))).toBe(1);
});

test('a longer rotation repeats what was planned, and a shorter one keeps its first weeks', () => {
  const longer = rotate(draft(slot(1, 0, 24)), 2, '2026-11-16');
  expect(longer.slots).toEqual([slot(1, 0, 24), slot(1, 0, 24, { week: 2 })]);
  expect(rotate(longer, 1, '2026-11-16').slots).toEqual([slot(1, 0, 24)]);
});

test('teams take turns by whole weeks', () => {
  const turns = takeTurns(draft(), '2026-11-16');
  expect(turns.weeks).toBe(2);
  expect(turns.slots).toHaveLength(14);
  expect(turns.slots.filter(({ week }) => week === 2).every(({ teamId }) => teamId === 2)).toBe(true);
});
