import { dayOfWeek, type OnDuty, type Roster, type RosterSlot, rosterReader } from './roster.ts';
import { seasonAt } from './roster-clock.ts';

export type Interval = { readonly startsAt: Date; readonly endsAt: Date };

/** An interval in which the same people are on duty for the same reason. */
export type RosterInterval = Interval & OnDuty;

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** How many days ahead gaps of a roster are looked for. */
export const gapDays = 30;

/** The people on duty from `from` until just before `to`, as consecutive intervals. */
export function rosterChanges(roster: Roster, zone: string, from: Date, to: Date): RosterInterval[] {
  const onDutyAt = rosterReader(roster, zone);
  const changes: { time: number; people: OnDuty }[] = [];
  for (const time of possibleChanges(roster, zone, from.getTime(), to.getTime())) {
    const people = onDutyAt(time);
    const before = changes.at(-1)?.people;
    if (!before || !isSame(before, people)) changes.push({ time, people });
  }
  return changes.map(({ time, people: { why, teamIds, userIds } }, index) => {
    const endsAt = new Date(changes[index + 1]?.time ?? to);
    return { startsAt: new Date(time), endsAt, why, teamIds, userIds };
  });
}

/** The intervals without anybody on duty in the next days of 24 hours. */
export function rosterGaps(roster: Roster, zone: string, from: Date, days: number = gapDays): Interval[] {
  const to = new Date(from.getTime() + days * dayMs);
  return rosterChanges(roster, zone, from, to)
    .filter(({ why }) => why === 'nobody')
    .map(({ startsAt, endsAt }) => ({ startsAt, endsAt }));
}

/** In order: `from`, and each time before `to` at which the people on duty may change. */
function possibleChanges({ slots, overrides }: Roster, zone: string, from: number, to: number): number[] {
  const times: number[] = [];
  const minutes = boundaryMinutes(slots);
  for (let start = from; start < to; ) {
    const { endsAt, offset } = seasonAt(zone, start);
    const end = Math.min(endsAt, to);
    times.push(start);
    for (const shown of boundariesShown(minutes, start + offset, end + offset)) times.push(shown - offset);
    start = end;
  }
  const ofOverrides = overrides.flatMap(({ startsAt, endsAt }) => [startsAt.getTime(), endsAt.getTime()]);
  times.push(...ofOverrides.filter((time) => from < time && time < to));
  return times.toSorted((one, other) => one - other);
}

/** The minutes of each day of the week at which a slot starts or ends. */
function boundaryMinutes(slots: readonly RosterSlot[]): Map<number, number[]> {
  const slotsOfDay = Map.groupBy(slots, ({ day }) => day);
  return new Map(
    [...slotsOfDay].map(([day, ofDay]) => {
      const minutes = ofDay.flatMap(({ startMinute, endMinute }) => [startMinute, endMinute]);
      return [day, [...new Set(minutes)].toSorted((one, other) => one - other)];
    }),
  );
}

function* boundariesShown(minutes: ReadonlyMap<number, readonly number[]>, from: number, to: number) {
  for (let day = Math.floor(from / dayMs); day * dayMs < to; day++) {
    for (const minute of minutes.get(dayOfWeek(day)) ?? []) {
      const shown = day * dayMs + minute * minuteMs;
      if (from < shown && shown < to) yield shown;
    }
  }
}

function isSame(one: OnDuty, other: OnDuty): boolean {
  return (
    one.why === other.why &&
    one.teamIds.length === other.teamIds.length &&
    one.teamIds.every((id, index) => id === other.teamIds[index])
  );
}
