import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyRoster, dailyHandOver, decade, threeShifts } from '../testing/rosters.ts';
import { zones } from '../testing/zones.ts';
import { type OnDuty, onDuty, type Roster, rosterReader } from './roster.ts';
import { type RosterInterval, rosterChanges, rosterGaps } from './roster-changes.ts';

const year = { from: new Date('2011-07-01T00:00:00Z'), to: new Date('2012-07-01T00:00:00Z') };
const anyZone = fc.constantFrom(...zones);
const anyInstant = fc.date({ min: year.from, max: new Date(year.to.getTime() - 1), noInvalidDate: true });

/** Checks that the intervals fill the period without gaps, and that each ends with a change. */
function expectUnbroken(intervals: readonly RosterInterval[], from: Date, to: Date): void {
  expect(intervals[0]?.startsAt).toEqual(from);
  expect(intervals.at(-1)?.endsAt).toEqual(to);
  const broken = intervals.filter((interval, index) => {
    const next = intervals[index + 1];
    return next && (interval.endsAt.getTime() !== next.startsAt.getTime() || say(interval) === say(next));
  });
  expect(broken).toEqual([]);
}

function say({ why, teamIds, userIds }: OnDuty): string {
  return `${why} ${teamIds.join()} ${userIds.join()}`;
}

/** Times at or next to the ends of an interval at which `onDuty` differs from the interval. */
function wrongEdges(roster: Roster, zone: string, intervals: readonly RosterInterval[]): string[] {
  const onDutyAt = rosterReader(roster, zone);
  return intervals.flatMap((interval) => {
    const length = interval.endsAt.getTime() - interval.startsAt.getTime();
    const asked = [0, Math.min(1_000, length - 1), Math.max(0, length - 1_000)];
    return asked
      .map((after) => interval.startsAt.getTime() + after)
      .filter((time) => say(onDutyAt(time)) !== say(interval))
      .map((time) => `${zone} ${new Date(time).toISOString()}`);
  });
}

test('with three shifts somebody is on duty each second of ten years, in forty zones', () => {
  for (const zone of zones) {
    const intervals = rosterChanges(threeShifts, zone, decade.from, decade.to);
    expectUnbroken(intervals, decade.from, decade.to);
    expect(intervals.length).toBeGreaterThan(3 * 3_650);
    expect(intervals.filter(({ why }) => why === 'nobody')).toEqual([]);
    expect(wrongEdges(threeShifts, zone, intervals)).toEqual([]);
  }
}, 60_000);

test('the intervals agree with the people on duty at any time and around each change', () => {
  fc.assert(
    fc.property(
      anyRoster(year.from, year.to),
      anyZone,
      fc.array(anyInstant, { minLength: 20, maxLength: 20 }),
      (roster, zone, instants) => {
        const intervals = rosterChanges(roster, zone, year.from, year.to);
        expectUnbroken(intervals, year.from, year.to);
        expect(wrongEdges(roster, zone, intervals)).toEqual([]);
        for (const instant of instants) {
          const interval = intervals.find(({ startsAt, endsAt }) => startsAt <= instant && instant < endsAt);
          expect(interval).toEqual({ ...interval, ...onDuty(roster, zone, instant) });
        }
      },
    ),
    { numRuns: 300 },
  );
}, 60_000);

test('each gap is found thirty days ahead', () => {
  fc.assert(
    fc.property(anyRoster(year.from, year.to), anyZone, anyInstant, (roster, zone, from) => {
      const gaps = rosterGaps(roster, zone, from);
      for (let hour = 0; hour < 30 * 24; hour += 5) {
        const time = from.getTime() + hour * 3_600_000;
        const isForetold = gaps.some(
          ({ startsAt, endsAt }) => startsAt.getTime() <= time && time < endsAt.getTime(),
        );
        expect(onDuty(roster, zone, new Date(time)).userIds.length === 0).toBe(isForetold);
      }
    }),
    { numRuns: 300 },
  );
}, 60_000);

/** The times at which each team came on duty. */
function arrivals(intervals: readonly RosterInterval[]): { teamId: number; at: number }[] {
  return intervals.flatMap(({ startsAt, teamIds }, index) => {
    const before = intervals[index - 1]?.teamIds ?? teamIds;
    const arriving = teamIds.filter((teamId) => !before.includes(teamId));
    return arriving.map((teamId) => ({ teamId, at: startsAt.getTime() }));
  });
}

// Hand-overs at the usual times of clock changes, between them, and late in the evening.
test.each([60, 120, 150, 1_410])(
  'a day of 23 or of 25 hours has one hand-over, like any other (%i minutes past midnight)',
  (minute) => {
    for (const zone of zones) {
      const intervals = rosterChanges(dailyHandOver(minute), zone, decade.from, decade.to);
      const handOvers = arrivals(intervals);
      expect(handOvers.length, zone).toBeGreaterThan(3_645);
      const outOfOrder = handOvers.filter(({ teamId }, index) => {
        const before = handOvers[index - 1]?.teamId;
        return before !== undefined && teamId !== (before % 7) + 1;
      });
      expect(outOfOrder, zone).toEqual([]);
      expect(intervals.filter(({ why }) => why === 'nobody')).toEqual([]);
    }
  },
  60_000,
);
