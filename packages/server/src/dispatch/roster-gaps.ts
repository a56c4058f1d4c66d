import { addSeconds, formatInZone, gapDays, type Roster, rosterGaps, type Stretch } from '@tocsin/domain';
import type { CallDirectory, CalledGroup } from '../duties/call-directory.ts';
import type { Warning } from './tell-warnings.ts';

export const gapFolder = 'rosters';

/** When nobody of the group who can be called is on duty, in the next days. */
export function gapsOf({ people }: CallDirectory, { roster, timeZone }: CalledGroup, now: Date): Stretch[] {
  return rosterGaps(reachable(roster, people), timeZone, now);
}

/** Whoever is on duty and cannot be called covers nothing. */
function reachable(roster: Roster, people: CallDirectory['people']): Roster {
  const callable = (userIds: readonly number[]) =>
    userIds.filter((id) => (people.get(id)?.media.length ?? 0) > 0);
  const teams = roster.teams.map(({ id, userIds }) => ({ id, userIds: callable(userIds) }));
  return { ...roster, userIds: callable(roster.userIds), teams };
}

const medium = 3;

/** What to say of the first gap of each group that has a roster. It reads the same until the gap is another. */
export function gapWarnings(directory: CallDirectory, now: Date): Warning[] {
  return [...directory.groups.values()].filter(hasRoster).flatMap((group) => {
    const [gap] = gapsOf(directory, group, now);
    if (!gap) return [];
    const { id, name, stationId } = group;
    return {
      path: `${gapFolder}/${id}`,
      message: `Nobody of call group ${name} is on duty ${tellStretch(gap, group, now)}`,
      more: {
        priority: medium,
        resetMessage: `The roster of call group ${name} has no gap in the next ${gapDays} days`,
        eventCondition: { reactivatable: false },
        ...(stationId !== 0 && { stationId }),
      },
    };
  });
}

function hasRoster({ roster: { slots, overrides } }: CalledGroup): boolean {
  return slots.length + overrides.length > 0;
}

/** Neither now nor the end of the days looked at is told as a time: both are others at each look. */
function tellStretch({ startsAt, endsAt }: Stretch, { timeZone }: CalledGroup, now: Date): string {
  const clock = (instant: Date) => formatInZone(timeZone, instant).slice(0, 16).replace('T', ' ');
  const start = startsAt <= now ? 'now' : `from ${clock(startsAt)}`;
  const isOpen = endsAt >= addSeconds(now, gapDays * 86_400);
  return `${start} ${isOpen ? `on, without an end in the next ${gapDays} days` : `until ${clock(endsAt)}`} (${timeZone})`;
}
