import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type OnDuty, onDuty, type Roster, rosterReader } from './roster.ts';
import { type RosterStretch, rosterChanges, rosterGaps } from './roster-changes.ts';
import { anyRoster, dailyHandOver, decade, threeShifts } from './testing/rosters.ts';
import { zones } from './testing/zones.ts';

const year = { from: new Date('2011-07-01T00:00:00Z'), to: new Date('2012-07-01T00:00:00Z') };
const anyZone = fc.constantFrom(...zones);
const anyInstant = fc.date({ min: year.from, max: new Date(year.to.getTime() - 1), noInvalidDate: true });

/** Whether the stretches fill the period, one after the other, and each ends where something changes. */
function expectUnbroken(stretches: readonly RosterStretch[], from: Date, to: Date): void {
  expect(stretches[0]?.startsAt).toEqual(from);
  expect(stretches.at(-1)?.endsAt).toEqual(to);
  const broken = stretches.filter((stretch, index) => {
    const next = stretches[index + 1];
    return next && (stretch.endsAt.getTime() !== next.startsAt.getTime() || say(stretch) === say(next));
  });
  expect(broken).toEqual([]);
}

function say({ why, teamIds, userIds }: OnDuty): string {
  return `${why} ${teamIds.join()} ${userIds.join()}`;
}

/** Times, at the edge of a stretch or a second from it, at which one is told something else than the stretch says. */
function wrongEdges(roster: Roster, zone: string, stretches: readonly RosterStretch[]): string[] {
  const onDutyAt = rosterReader(roster, zone);
  return stretches.flatMap((stretch) => {
    const length = stretch.endsAt.getTime() - stretch.startsAt.getTime();
    const asked = [0, Math.min(1_000, length - 1), Math.max(0, length - 1_000)];
    return asked
      .map((after) => stretch.startsAt.getTime() + after)
      .filter((time) => say(onDutyAt(time)) !== say(stretch))
      .map((time) => `${zone} ${new Date(time).toISOString()}`);
  });
}

test('with three shifts somebody is on duty each second of ten years, in forty zones', () => {
  for (const zone of zones) {
    const stretches = rosterChanges(threeShifts, zone, decade.from, decade.to);
    expectUnbroken(stretches, decade.from, decade.to);
    expect(stretches.length).toBeGreaterThan(3 * 3_650);
    expect(stretches.filter(({ why }) => why === 'nobody')).toEqual([]);
    expect(wrongEdges(threeShifts, zone, stretches)).toEqual([]);
  }
}, 60_000);

test('a second before and after each change, and at any time, the changes are what one is told', () => {
  fc.assert(
    fc.property(
      anyRoster(year.from, year.to),
      anyZone,
      fc.array(anyInstant, { minLength: 20, maxLength: 20 }),
      (roster, zone, instants) => {
        const stretches = rosterChanges(roster, zone, year.from, year.to);
        expectUnbroken(stretches, year.from, year.to);
        expect(wrongEdges(roster, zone, stretches)).toEqual([]);
        for (const instant of instants) {
          const stretch = stretches.find(({ startsAt, endsAt }) => startsAt <= instant && instant < endsAt);
          expect(stretch).toEqual({ ...stretch, ...onDuty(roster, zone, instant) });
        }
      },
    ),
    { numRuns: 300 },
  );
}, 60_000);

test('whenever nobody will be on duty, it was told thirty days ahead', () => {
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

/** Which team came on duty when, one after the other. */
function arrivals(stretches: readonly RosterStretch[]): { teamId: number; at: number }[] {
  return stretches.flatMap(({ startsAt, teamIds }, index) => {
    const before = stretches[index - 1]?.teamIds ?? teamIds;
    const arriving = teamIds.filter((teamId) => !before.includes(teamId));
    return arriving.map((teamId) => ({ teamId, at: startsAt.getTime() }));
  });
}

// Hand-over at the times at which clocks change in most zones, between them, and late in the evening.
test.each([60, 120, 150, 1_410])(
  'a day of 23 or of 25 hours has one hand-over, like any other (%i minutes past midnight)',
  (minute) => {
    for (const zone of zones) {
      const stretches = rosterChanges(dailyHandOver(minute), zone, decade.from, decade.to);
      const turns = arrivals(stretches);
      expect(turns.length, zone).toBeGreaterThan(3_645);
      const outOfTurn = turns.filter(({ teamId }, index) => {
        const before = turns[index - 1]?.teamId;
        return before !== undefined && teamId !== (before % 7) + 1;
      });
      expect(outOfTurn, zone).toEqual([]);
      expect(stretches.filter(({ why }) => why === 'nobody')).toEqual([]);
    }
  },
  60_000,
);
