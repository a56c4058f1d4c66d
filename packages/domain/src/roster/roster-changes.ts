import { type OnDuty, type Roster, rosterReader } from './roster.ts';
import { seasonAt } from './roster-clock.ts';
import { type RosterSlot, slotReader } from './roster-days.ts';

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

/** The intervals without anybody on duty who can be called, in the next days of 24 hours. */
export function rosterGaps(
  roster: Roster,
  zone: string,
  from: Date,
  { days = gapDays, canBeCalled = () => true }: GapOptions = {},
): Interval[] {
  const to = new Date(from.getTime() + days * dayMs);
  const gaps: Interval[] = [];
  for (const { startsAt, endsAt, userIds } of rosterChanges(roster, zone, from, to)) {
    if (userIds.some(canBeCalled)) continue;
    const last = gaps.at(-1);
    if (last?.endsAt.getTime() === startsAt.getTime()) gaps[gaps.length - 1] = { ...last, endsAt };
    else gaps.push({ startsAt, endsAt });
  }
  return gaps;
}

export type GapOptions = { readonly days?: number; readonly canBeCalled?: (userId: number) => boolean };

/** In order: `from`, and each time before `to` at which the people on duty may change. */
function possibleChanges(roster: Roster, zone: string, from: number, to: number): number[] {
  const times: number[] = [];
  const slotsOf = slotReader(roster);
  for (let start = from; start < to; ) {
    const { endsAt, offset } = seasonAt(zone, start);
    const end = Math.min(endsAt, to);
    times.push(start);
    for (const shown of boundariesShown(slotsOf, start + offset, end + offset)) times.push(shown - offset);
    start = end;
  }
  const others = [...roster.overrides, ...(roster.leaves ?? [])];
  const ends = others.flatMap(({ startsAt, endsAt }) => [startsAt.getTime(), endsAt.getTime()]);
  times.push(...ends.filter((time) => from < time && time < to));
  return times.toSorted((one, other) => one - other);
}

/** The local times at which a slot of the day starts or ends. */
function* boundariesShown(slotsOf: (day: number) => readonly RosterSlot[], from: number, to: number) {
  for (let day = Math.floor(from / dayMs); day * dayMs < to; day++) {
    const minutes = slotsOf(day).flatMap(({ startMinute, endMinute }) => [startMinute, endMinute]);
    for (const minute of new Set(minutes)) {
      const shown = day * dayMs + minute * minuteMs;
      if (from < shown && shown < to) yield shown;
    }
  }
}

function isSame(one: OnDuty, other: OnDuty): boolean {
  return (
    one.why === other.why && isSameList(one.teamIds, other.teamIds) && isSameList(one.userIds, other.userIds)
  );
}

function isSameList(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index]);
}
