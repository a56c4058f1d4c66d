import { shownAt } from './roster-clock.ts';
import { type RosterSlot, type Rotation, slotReader } from './roster-days.ts';

/** People who are on duty together, in calling order. */
export type Team = { readonly id: number; readonly userIds: readonly number[] };

/**
 * From `startsAt` until just before `endsAt` this team is on duty instead of those of the slots. With `userId` it is that
 * person, whatever the team. With `replacesUserId` they stand in for one person, and the others stay.
 */
export type RosterOverride = {
  readonly teamId: number;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly userId?: number;
  readonly replacesUserId?: number;
};

/** From `startsAt` until just before `endsAt` the person is on duty nowhere. */
export type Leave = { readonly userId: number; readonly startsAt: Date; readonly endsAt: Date };

/** `userIds` are always on duty if there are no slots, else ignored. */
export type Roster = {
  readonly userIds: readonly number[];
  readonly teams: readonly Team[];
  readonly slots: readonly RosterSlot[];
  readonly overrides: readonly RosterOverride[];
  readonly rotation?: Rotation;
  /** Days counted from 1 January 1970, on which the slots of Sunday apply. */
  readonly holidays?: readonly number[];
  readonly leaves?: readonly Leave[];
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
 * The teams of all current slots are on duty, in the order of the teams. The current overrides change that in the order of
 * their list, so the last one wins; then people on leave are left out. The slots and overrides of a team without people
 * are ignored.
 */
export function onDuty(roster: Roster, zone: string, instant: Date): OnDuty {
  return rosterReader(roster, zone)(instant.getTime());
}

/** For repeated use: returns a function that finds the people on duty at a time in epoch milliseconds. */
export function rosterReader(roster: Roster, zone: string): (time: number) => OnDuty {
  const teams = roster.teams.filter(({ userIds }) => userIds.length > 0);
  const overrides = roster.overrides.filter(
    ({ teamId, userId }) => userId !== undefined || teams.some(({ id }) => id === teamId),
  );
  const slotsOf = slotReader(roster);

  return (time) => {
    const current = overrides.filter((override) => isRunning(override, time));
    // Nothing before an override of everybody matters.
    const first = Math.max(
      0,
      current.findLastIndex(({ replacesUserId }) => replacesUserId === undefined),
    );
    const planned = () =>
      roster.slots.length === 0
        ? alwaysOnDuty(roster.userIds)
        : teamsOnDuty('slot', teams, runningTeams(slotsOf, zone, time));
    const people = current
      .slice(first)
      .reduce<OnDuty | undefined>(
        (before, override) => applyOverride(before ?? planned(), override, teams),
        undefined,
      );
    return withoutLeaves(people ?? planned(), roster.leaves ?? [], time);
  };
}

function isRunning({ startsAt, endsAt }: Leave | RosterOverride, time: number): boolean {
  return startsAt.getTime() <= time && time < endsAt.getTime();
}

function applyOverride(before: OnDuty, override: RosterOverride, teams: readonly Team[]): OnDuty {
  const { teamId, userId, replacesUserId } = override;
  if (replacesUserId === undefined)
    return userId === undefined
      ? teamsOnDuty('override', teams, new Set([teamId]))
      : { why: 'override', teamIds: [], userIds: [userId] };
  if (!before.userIds.includes(replacesUserId)) return before;
  const standIns = userId === undefined ? (teams.find(({ id }) => id === teamId)?.userIds ?? []) : [userId];
  const userIds = before.userIds.flatMap((id) => (id === replacesUserId ? standIns : [id]));
  return { why: 'override', teamIds: before.teamIds, userIds: [...new Set(userIds)] };
}

function withoutLeaves(people: OnDuty, leaves: readonly Leave[], time: number): OnDuty {
  const away = new Set(leaves.filter((leave) => isRunning(leave, time)).map(({ userId }) => userId));
  const userIds = people.userIds.filter((id) => !away.has(id));
  if (userIds.length === people.userIds.length) return people;
  return userIds.length === 0 ? nobody : { ...people, userIds };
}

/**
 * A slot starts when clocks first show its start, and ends when they last show its end. A time that clocks skip counts as
 * shown at the change. So consecutive slots never leave a gap; at worst they overlap.
 */
function runningTeams(
  slotsOf: (day: number) => readonly RosterSlot[],
  zone: string,
  time: number,
): Set<number> {
  const { maxSoFar, minToCome } = shownAt(zone, time);
  const running = new Set<number>();
  for (let day = Math.floor(minToCome / dayMs); day * dayMs <= maxSoFar; day++) {
    for (const { teamId, startMinute, endMinute } of slotsOf(day)) {
      const hasStarted = day * dayMs + startMinute * minuteMs <= maxSoFar;
      const hasEnded = day * dayMs + endMinute * minuteMs <= minToCome;
      if (hasStarted && !hasEnded) running.add(teamId);
    }
  }
  return running;
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
