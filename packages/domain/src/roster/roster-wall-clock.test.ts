import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyRoster, decade, halfHourShifts } from '../testing/rosters.ts';
import { daysOfChange, teamsByWallClock, type WatchedMinute, watchClock } from '../testing/wall-clock.ts';
import { zones } from '../testing/zones.ts';
import { type Roster, rosterReader } from './roster.ts';

const hourMs = 3_600_000;

const changes = zones.flatMap((zone) =>
  daysOfChange(zone, decade.from, decade.to).map((day) => [zone, day] as const),
);

/** The day of a clock change, and some hours before and after. */
function watchChange(zone: string, day: number): WatchedMinute[] {
  return watchClock(zone, day - 3 * hourMs, day + 27 * hourMs);
}

/** Minutes in which the roster differs from the reference model. */
function disagreements(roster: Roster, zone: string, minutes: readonly WatchedMinute[]): string[] {
  const expected = teamsByWallClock(roster, minutes);
  const staffed = roster.teams.filter(({ userIds }) => userIds.length > 0).map(({ id }) => id);
  const onDutyAt = rosterReader({ ...roster, userIds: [], overrides: [], leaves: [] }, zone);
  return minutes.flatMap(({ time }, index) => {
    const told = onDutyAt(time).teamIds.join();
    const wanted = staffed.filter((id) => expected[index]?.has(id)).join();
    return told === wanted ? [] : [`${zone} ${new Date(time).toISOString()}: [${told}] not [${wanted}]`];
  });
}

test('in ten years, clocks in forty zones changed hundreds of times', () => {
  expect(zones.length).toBe(40);
  expect(changes.length).toBeGreaterThan(400);
  expect(changes).toContainEqual(['Pacific/Apia', Date.parse('2011-12-30T00:00:00Z')]);
});

test('around each change the roster follows local time, minute by minute', () => {
  for (const [zone, day] of changes) {
    expect(disagreements(halfHourShifts, zone, watchChange(zone, day))).toEqual([]);
  }
}, 60_000);

test('any roster follows local time around each change', () => {
  fc.assert(
    fc.property(anyRoster(decade.from, decade.to), fc.constantFrom(...changes), (roster, [zone, day]) => {
      expect(disagreements(roster, zone, watchChange(zone, day))).toEqual([]);
    }),
    { numRuns: 200 },
  );
}, 60_000);
