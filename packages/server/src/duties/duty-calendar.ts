import { addSeconds, type RosterInterval, rosterChanges } from '@tocsin/domain';
import type { CallDirectory, CalledGroup } from '../escalations/call-directory.ts';
import type { CalendarEvent } from './icalendar.ts';

const daySeconds = 86_400;
const daysBack = 31;
const daysAhead = 366;

/** The period that calendars show. It begins at a whole day, so that the first event keeps its begin all day. */
function calendarPeriod(now: Date): { from: Date; to: Date } {
  const today = new Date(Math.floor(now.getTime() / (daySeconds * 1_000)) * daySeconds * 1_000);
  return {
    from: addSeconds(today, -daysBack * daySeconds),
    to: addSeconds(today, daysAhead * daySeconds),
  };
}

const hasRoster = ({ roster: { slots, overrides } }: CalledGroup) => slots.length + overrides.length > 0;

/** Who is on duty in a group, one event for each change; gaps have no event. */
export function groupEvents(directory: CallDirectory, group: CalledGroup, now: Date): CalendarEvent[] {
  const duties = dutiesOf(group, now).filter(({ userIds }) => userIds.length > 0);
  return duties.map(({ startsAt, endsAt, userIds, why }) => ({
    uid: uidOf(`group-${group.id}`, startsAt),
    startsAt,
    endsAt,
    summary: userIds.map((id) => nameOf(directory, id)).join(', '),
    description: `${group.name}${why === 'override' ? ' (override)' : ''}`,
  }));
}

/** When a person is on duty in any group that has a roster. */
export function personEvents(directory: CallDirectory, userId: number, now: Date): CalendarEvent[] {
  const events = [...directory.groups.values()].filter(hasRoster).flatMap((group) =>
    joined(dutiesOf(group, now).filter(({ userIds }) => userIds.includes(userId))).map(
      ({ startsAt, endsAt }) => ({
        uid: uidOf(`user-${userId}-group-${group.id}`, startsAt),
        startsAt,
        endsAt,
        summary: `On duty: ${group.name}`,
        description: `Local time: ${group.timeZone}`,
      }),
    ),
  );
  return events.toSorted((one, other) => one.startsAt.getTime() - other.startsAt.getTime());
}

function dutiesOf(group: CalledGroup, now: Date): RosterInterval[] {
  if (!hasRoster(group)) return [];
  const { from, to } = calendarPeriod(now);
  return rosterChanges(group.roster, group.timeZone, from, to).filter(({ why }) => why !== 'always');
}

/** A person who stays while others change has one event. */
function joined(duties: readonly RosterInterval[]): RosterInterval[] {
  const result: RosterInterval[] = [];
  for (const duty of duties) {
    const last = result.at(-1);
    if (last?.endsAt.getTime() === duty.startsAt.getTime())
      result[result.length - 1] = { ...last, endsAt: duty.endsAt };
    else result.push(duty);
  }
  return result;
}

const uidOf = (what: string, startsAt: Date) => `${what}-${startsAt.getTime() / 1_000}@tocsin`;

const nameOf = ({ people, disabled }: CallDirectory, id: number) =>
  people.get(id)?.name ?? disabled.get(id) ?? `user ${id}`;
