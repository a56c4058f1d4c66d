import { addSeconds, formatInZone, gapDays, type Interval, rosterGaps } from '@tocsin/domain';
import type { CallDirectory, CalledGroup } from '../../escalations/call-directory.ts';
import type { MonitorAlarm } from './raise-monitor-alarms.ts';

export const gapFolder = 'rosters';

/** The intervals of the next days in which nobody who can be called is on duty. */
export function gapsOf({ people }: CallDirectory, { roster, timeZone }: CalledGroup, now: Date): Interval[] {
  const canBeCalled = (userId: number) => (people.get(userId)?.media.length ?? 0) > 0;
  return rosterGaps(roster, timeZone, now, { canBeCalled });
}

const mediumPriority = 3;

/** A gap of a roster, with the sentence about it, which changes only with the gap. */
export type RosterGap = { readonly group: CalledGroup; readonly gap: Interval; readonly message: string };

/** The first gap of each roster. */
export function firstRosterGaps(directory: CallDirectory, now: Date): RosterGap[] {
  return [...directory.groups.values()].filter(hasRoster).flatMap((group) => {
    const [gap] = gapsOf(directory, group, now);
    if (!gap) return [];
    const message = `Nobody of call group ${group.name} is on duty ${describeInterval(gap, group, now)}`;
    return [{ group, gap, message }];
  });
}

/** The system alarms about the first gap of each roster. */
export function rosterGapAlarms(directory: CallDirectory, now: Date): MonitorAlarm[] {
  return firstRosterGaps(directory, now).map(({ group: { id, name, stationId }, message }) => ({
    path: `${gapFolder}/${id}`,
    message,
    more: {
      priority: mediumPriority,
      resetMessage: `The roster of call group ${name} has no gap in the next ${gapDays} days`,
      eventCondition: { reactivatable: false },
      ...(stationId !== 0 && { stationId }),
    },
  }));
}

function hasRoster({ roster: { slots, overrides } }: CalledGroup): boolean {
  return slots.length + overrides.length > 0;
}

/** Neither now nor the end of the checked days is given as a time, because both differ at each check. */
function describeInterval({ startsAt, endsAt }: Interval, { timeZone }: CalledGroup, now: Date): string {
  const clock = (instant: Date) => formatInZone(timeZone, instant).slice(0, 16).replace('T', ' ');
  const start = startsAt <= now ? 'now' : `from ${clock(startsAt)}`;
  const isOpen = endsAt >= addSeconds(now, gapDays * 86_400);
  return `${start} ${isOpen ? `on, without an end in the next ${gapDays} days` : `until ${clock(endsAt)}`} (${timeZone})`;
}
