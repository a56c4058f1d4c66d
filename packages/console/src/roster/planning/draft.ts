import type { CallGroup, CallGroupBody } from '@tocsin/contract';
import { clockOf, minuteOf } from './roster-of.ts';

/** A weekly slot, in minutes from midnight. Weeks count from 1; without a rotation all slots are of week 1. */
export type Slot = {
  readonly teamId: number;
  /** 1 Monday … 7 Sunday. */
  readonly day: number;
  readonly week: number;
  readonly from: number;
  readonly to: number;
};

export type Team = CallGroup['teams'][number];
export type Holiday = { readonly date: string; readonly name: string };

/** What somebody edits before it is published. Overrides take effect at once and are no part of it. */
export type Draft = {
  readonly teams: readonly Team[];
  readonly slots: readonly Slot[];
  readonly slotMinutes: 15 | 30 | 60;
  readonly weeks: number;
  /** A day of week 1. */
  readonly start: string;
  readonly holidays: readonly Holiday[];
};

const firstMonday = '1970-01-05';
const weeksOf = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

export function toDraft({ teams, roster }: Pick<CallGroup, 'teams' | 'roster'>): Draft {
  const { weeks, start } = roster.rotation ?? { weeks: 1, start: firstMonday };
  const slots = roster.slots.flatMap(({ teamId, day, week, start: from, end: to }) =>
    (week === undefined ? weeksOf(weeks) : [week]).map((own) => ({
      teamId,
      day,
      week: own,
      from: minuteOf(from),
      to: minuteOf(to),
    })),
  );
  const holidays = (roster.holidays ?? []).map(({ date, name = '' }) => ({ date, name }));
  return { teams, slots, slotMinutes: roster.slotMinutes, weeks, start, holidays };
}

const keyOf = ({ teamId, day, from, to }: Slot) => `${teamId} ${day} ${from} ${to}`;

/** The slots for the interface: those of every week once, and without a week. */
function slotsToWire({ slots, weeks }: Draft): CallGroup['roster']['slots'] {
  const alike = Map.groupBy(slots, keyOf);
  return [...alike.values()].flatMap((same) => {
    const isWeekly = new Set(same.map(({ week }) => week)).size === weeks;
    return isWeekly ? same.slice(0, 1).map(weeklyToWire) : same.map(slotToWire);
  });
}

const weeklyToWire = ({ teamId, day, from, to }: Slot) => ({
  teamId,
  day,
  start: clockOf(from),
  end: clockOf(to),
});
const slotToWire = (slot: Slot) => ({ ...weeklyToWire(slot), week: slot.week });
const holidayToWire = ({ date, name }: Holiday) => ({ date, ...(name !== '' && { name }) });

/** The call group with the draft, as it is sent. */
export function toBody(group: CallGroup, draft: Draft): CallGroupBody & Pick<CallGroup, 'roster'> {
  const { id: _id, lastChange: _change, ...rest } = group;
  const { teams, slotMinutes, weeks, start, holidays } = draft;
  return {
    ...rest,
    teams: [...teams],
    roster: {
      slotMinutes,
      slots: slotsToWire(draft),
      overrides: group.roster.overrides,
      ...(weeks > 1 && { rotation: { weeks, start } }),
      ...(holidays.length > 0 && {
        holidays: holidays.map(holidayToWire),
      }),
    },
  };
}

/** The group as it would be with the draft. */
export const withDraft = (group: CallGroup, draft: Draft): CallGroup => ({
  ...group,
  teams: [...draft.teams],
  roster: toBody(group, draft).roster,
});

const overlaps = (one: Slot, other: Slot) =>
  one.day === other.day && one.week === other.week && one.from < other.to && other.from < one.to;

/** What is left of a slot beside another one. */
function cut(slot: Slot, by: Slot): Slot[] {
  if (!overlaps(slot, by)) return [slot];
  return [
    { ...slot, to: by.from },
    { ...slot, from: by.to },
  ].filter(({ from, to }) => from < to);
}

/** Slots of a team that touch are one. */
function join(slots: readonly Slot[]): Slot[] {
  const result: Slot[] = [];
  const inOrder = slots.toSorted(
    (one, other) => one.week - other.week || one.day - other.day || one.from - other.from,
  );
  for (const slot of inOrder) {
    const last = result.findIndex(
      ({ teamId, day, week, to }) =>
        teamId === slot.teamId && day === slot.day && week === slot.week && to === slot.from,
    );
    const before = result[last];
    if (before) result[last] = { ...before, to: slot.to };
    else result.push(slot);
  }
  return result;
}

/** Gives a time to a team; the others lose it. `beside` lets them stay, so that both teams are on duty. */
export function assign(draft: Draft, slot: Slot, { beside = false } = {}): Draft {
  const others = beside
    ? draft.slots.flatMap((other) => (other.teamId === slot.teamId ? cut(other, slot) : [other]))
    : draft.slots.flatMap((other) => cut(other, slot));
  return { ...draft, slots: join([...others, slot]) };
}

const isSameSlot = (one: Slot, other: Slot) => keyOf(one) === keyOf(other) && one.week === other.week;

export const remove = (draft: Draft, slot: Slot): Draft => ({
  ...draft,
  slots: draft.slots.filter((other) => !isSameSlot(other, slot)),
});

/** Puts a slot elsewhere, or makes it longer or shorter. */
export const change = (draft: Draft, before: Slot, after: Slot, options = {}): Draft =>
  assign(remove(draft, before), after, options);

/** Each week of the rotation begins with what all of them had, or with the first week. */
export function rotate(draft: Draft, weeks: number, start: string): Draft {
  const slots = weeksOf(weeks).flatMap((week) => {
    const own = draft.slots.filter((slot) => slot.week === (week <= draft.weeks ? week : 1));
    return own.map(({ teamId, day, from, to }) => ({ teamId, day, week, from, to }));
  });
  return { ...draft, slots, weeks, start };
}

/** One team after the other has a whole week. */
export function takeTurns(draft: Draft, start: string): Draft {
  const slots = draft.teams.flatMap(({ id }, index) =>
    [1, 2, 3, 4, 5, 6, 7].map((day) => ({ teamId: id, day, week: index + 1, from: 0, to: 1_440 })),
  );
  return { ...draft, slots, weeks: Math.max(1, draft.teams.length), start };
}

export function setHoliday(draft: Draft, date: string, name: string | undefined): Draft {
  const others = draft.holidays.filter((holiday) => holiday.date !== date);
  const holidays = name === undefined ? others : [...others, { date, name }];
  return { ...draft, holidays: holidays.toSorted((one, other) => one.date.localeCompare(other.date)) };
}

/** A team and its slots. */
export const removeTeam = (draft: Draft, teamId: number): Draft => ({
  ...draft,
  teams: draft.teams.filter(({ id }) => id !== teamId),
  slots: draft.slots.filter((slot) => slot.teamId !== teamId),
});

export const saveTeam = (draft: Draft, team: Team): Draft => ({
  ...draft,
  teams: [...draft.teams.filter(({ id }) => id !== team.id), team].toSorted(
    (one, other) => one.id - other.id,
  ),
});

/** How many things differ: slots, teams, holidays, the rotation. */
export function countChanges(before: Draft, after: Draft): number {
  const lists = (draft: Draft): readonly string[][] => [
    slotsToWire(draft).map((slot) => JSON.stringify(slot)),
    draft.teams.map((team) => JSON.stringify(team)),
    draft.holidays.map((holiday) => JSON.stringify(holiday)),
    [JSON.stringify(draft.weeks > 1 ? [draft.weeks, draft.start] : [])],
    [String(draft.slotMinutes)],
  ];
  const now = lists(after);
  return lists(before).reduce((sum, old, index) => sum + differences(old, now[index] ?? []), 0);
}

function differences(old: readonly string[], now: readonly string[]): number {
  const gone = old.filter((one) => !now.includes(one)).length;
  const come = now.filter((one) => !old.includes(one)).length;
  return Math.max(gone, come);
}
