import { shownAt } from './roster-clock.ts';

/** People who are on duty together, in calling order. */
export type Team = { readonly id: number; readonly userIds: readonly number[] };

/** A weekly slot in the local time of the station. Minutes from midnight; 1440 is the end of the day. */
export type RosterSlot = {
  readonly teamId: number;
  /** 1 Monday … 7 Sunday. */
  readonly day: number;
  readonly startMinute: number;
  readonly endMinute: number;
};

/** From `startsAt` until just before `endsAt` this team is on duty instead of those of the slots. */
export type RosterOverride = { readonly teamId: number; readonly startsAt: Date; readonly endsAt: Date };

/** `userIds` are always on duty if there are no slots, else ignored. */
export type Roster = {
  readonly userIds: readonly number[];
  readonly teams: readonly Team[];
  readonly slots: readonly RosterSlot[];
  readonly overrides: readonly RosterOverride[];
};

/** The people on duty, each once and in calling order, and the reason. */
export type OnDuty = {
  readonly why: 'slot' | 'override' | 'always' | 'nobody';
  readonly teamIds: readonly number[];
  readonly userIds: readonly number[];
};

const minuteMs = 60_000;
const dayMs = 86_400_000;
const nobody: OnDuty = { why: 'nobody', teamIds: [], userIds: [] };

/**
 * The last of the current overrides in the list wins; else the teams of all current slots are on duty, in the order of
 * the teams. The slots and overrides of a team without people are ignored.
 */
export function onDuty(roster: Roster, zone: string, instant: Date): OnDuty {
  return rosterReader(roster, zone)(instant.getTime());
}

/** For repeated use: returns a function that finds the people on duty at a time in epoch milliseconds. */
export function rosterReader(roster: Roster, zone: string): (time: number) => OnDuty {
  const teams = roster.teams.filter(({ userIds }) => userIds.length > 0);
  const overrides = roster.overrides.filter(({ teamId }) => teams.some(({ id }) => id === teamId));
  const slotsOfDay = Map.groupBy(roster.slots, ({ day }) => day);

  return (time) => {
    const override = overrides.findLast(
      ({ startsAt, endsAt }) => startsAt.getTime() <= time && time < endsAt.getTime(),
    );
    if (override) return teamsOnDuty('override', teams, new Set([override.teamId]));
    if (roster.slots.length === 0) return alwaysOnDuty(roster.userIds);
    return teamsOnDuty('slot', teams, runningTeams(slotsOfDay, zone, time));
  };
}

/**
 * A slot starts when clocks first show its start, and ends when they last show its end. A time that clocks skip counts as
 * shown at the change. So consecutive slots never leave a gap; at worst they overlap.
 */
function runningTeams(
  slotsOfDay: ReadonlyMap<number, readonly RosterSlot[]>,
  zone: string,
  time: number,
): Set<number> {
  const { maxSoFar, minToCome } = shownAt(zone, time);
  const running = new Set<number>();
  for (let day = Math.floor(minToCome / dayMs); day * dayMs <= maxSoFar; day++) {
    for (const { teamId, startMinute, endMinute } of slotsOfDay.get(dayOfWeek(day)) ?? []) {
      const hasStarted = day * dayMs + startMinute * minuteMs <= maxSoFar;
      const hasEnded = day * dayMs + endMinute * minuteMs <= minToCome;
      if (hasStarted && !hasEnded) running.add(teamId);
    }
  }
  return running;
}

/** The ISO day of the week of a day counted from 1 January 1970, a Thursday. */
export function dayOfWeek(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

function teamsOnDuty(why: 'slot' | 'override', teams: readonly Team[], ids: ReadonlySet<number>): OnDuty {
  const present = teams.filter(({ id }) => ids.has(id));
  if (present.length === 0) return nobody;
  const userIds = [...new Set(present.flatMap((team) => team.userIds))];
  return { why, teamIds: present.map(({ id }) => id), userIds };
}

function alwaysOnDuty(userIds: readonly number[]): OnDuty {
  return userIds.length === 0 ? nobody : { why: 'always', teamIds: [], userIds: [...new Set(userIds)] };
}
