import * as fc from 'fast-check';
import type { Roster, RosterOverride } from '../roster/roster.ts';
import type { RosterSlot } from '../roster/roster-days.ts';

export const weekDays = [1, 2, 3, 4, 5, 6, 7];

/** Ten years with all kinds of clock changes: Samoa skipped a day, Lord Howe changes by half an hour. */
export const decade = { from: new Date('2010-01-01T00:00:00Z'), to: new Date('2020-01-01T00:00:00Z') };

/** Three shifts, one of them through midnight. */
export const threeShifts: Roster = {
  userIds: [],
  teams: [
    { id: 1, userIds: [11, 12] },
    { id: 2, userIds: [21] },
    { id: 3, userIds: [31, 32] },
  ],
  slots: weekDays.flatMap((day) => [
    { teamId: 3, day, startMinute: 0, endMinute: 360 },
    { teamId: 1, day, startMinute: 360, endMinute: 840 },
    { teamId: 2, day, startMinute: 840, endMinute: 1_320 },
    { teamId: 3, day, startMinute: 1_320, endMinute: 1_440 },
  ]),
  overrides: [],
};

/** Seven teams alternate every half hour, so that every clock change meets a hand-over. */
export const halfHourShifts: Roster = {
  userIds: [],
  teams: weekDays.map((id) => ({ id, userIds: [id * 10] })),
  slots: weekDays.flatMap((day) =>
    Array.from({ length: 48 }, (_, half) => ({
      teamId: 1 + ((day * 48 + half) % 7),
      day,
      startMinute: half * 30,
      endMinute: half * 30 + 30,
    })),
  ),
  overrides: [],
};

/** Each team has one day a week, from that minute of the day to the same minute of the next. */
export function dailyHandOver(minute: number): Roster {
  return {
    userIds: [],
    teams: weekDays.map((id) => ({ id, userIds: [id * 10] })),
    slots: weekDays.flatMap((day) => [
      { teamId: day === 1 ? 7 : day - 1, day, startMinute: 0, endMinute: minute },
      { teamId: day, day, startMinute: minute, endMinute: 1_440 },
    ]),
    overrides: [],
  };
}

const someTeams = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }), {
  minLength: 1,
  maxLength: 4,
});

function anySlot(teamIds: readonly number[]): fc.Arbitrary<RosterSlot> {
  return fc
    .record({
      teamId: fc.constantFrom(...teamIds),
      day: fc.constantFrom(...weekDays),
      slotMinutes: fc.constantFrom(15, 30, 60),
      ends: fc.uniqueArray(fc.nat({ max: 24 }), { minLength: 2, maxLength: 2 }),
      nearMidnight: fc.boolean(),
      week: fc.option(fc.integer({ min: 1, max: 4 })),
    })
    .map(({ teamId, day, slotMinutes, ends, nearMidnight, week }) => {
      // Most changes of clocks are in the first hours of a day, or the last.
      const shift = nearMidnight ? 1_440 - 24 * slotMinutes : 0;
      const [startMinute = 0, endMinute = 0] = ends
        .map((end) => shift + end * slotMinutes)
        .toSorted((one, other) => one - other);
      const slot = { teamId, day, startMinute, endMinute };
      return week === null ? slot : Object.assign(slot, { week });
    });
}

const anyPerson = fc.integer({ min: 1, max: 9 });
const dayMs = 86_400_000;

function anyPeriod(from: Date, to: Date) {
  return fc
    .record({
      startsAt: fc.date({ min: from, max: to, noInvalidDate: true }),
      hours: fc.integer({ min: 1, max: 999 }),
    })
    .map(({ startsAt, hours }) => ({
      startsAt,
      endsAt: new Date(startsAt.getTime() + hours * 3_600_000),
    }));
}

/** Of a team or a person, for everybody or for one person. */
function anyOverride(teamIds: readonly number[], from: Date, to: Date): fc.Arbitrary<RosterOverride> {
  return fc
    .record({
      teamId: fc.constantFrom(...teamIds),
      userId: fc.option(anyPerson),
      replacesUserId: fc.option(anyPerson),
      period: anyPeriod(from, to),
    })
    .map(({ teamId, userId, replacesUserId, period }) => {
      const who = userId === null ? {} : { userId };
      const whom = replacesUserId === null ? {} : { replacesUserId };
      return Object.assign({ teamId }, period, who, whom);
    });
}

/** Any rosters, also with gaps, overlaps and empty teams, with rotations, holidays and leaves. */
export function anyRoster(from: Date, to: Date): fc.Arbitrary<Roster> {
  const days = fc.integer({ min: Math.floor(from.getTime() / dayMs), max: Math.ceil(to.getTime() / dayMs) });
  const leave = fc
    .record({ userId: anyPerson, period: anyPeriod(from, to) })
    .map(({ userId, period }) => Object.assign({ userId }, period));
  return someTeams.chain((people) => {
    const teams = people.map((userIds, index) => ({ id: index + 1, userIds }));
    const teamIds = teams.map(({ id }) => id);
    return fc.record({
      userIds: fc.uniqueArray(anyPerson, { maxLength: 3 }),
      teams: fc.constant(teams),
      slots: fc.array(anySlot(teamIds), { maxLength: 40 }),
      overrides: fc.array(anyOverride(teamIds, from, to), { maxLength: 5 }),
      rotation: fc.record({ weeks: fc.integer({ min: 1, max: 4 }), firstDay: days }),
      holidays: fc.array(days, { maxLength: 9 }),
      leaves: fc.array(leave, { maxLength: 5 }),
    });
  });
}
