import { seasonAt } from './roster-clock.ts';
import { dayOfWeek } from './roster-days.ts';

/**
 * A part of the day, by the clock on the wall. Minutes from midnight. An end that is not after the start is on the next
 * day; equal ones are a whole day.
 */
export type DailyWindow = {
  /** The days on which the window starts, 1 Monday … 7 Sunday. */
  readonly days: readonly number[];
  readonly startMinute: number;
  /** Not included; 1440 is the end of the day. */
  readonly endMinute: number;
};

const minuteMs = 60_000;
const dayMs = 86_400_000;

/**
 * Whether the clock of the zone shows a time of the window. A time that clocks skip is in no window, and one that they
 * show twice is in the window twice. `time` is in epoch milliseconds.
 */
export function isInWindow(
  { days, startMinute, endMinute }: DailyWindow,
  zone: string,
  time: number,
): boolean {
  const shown = time + seasonAt(zone, time).offset;
  const day = Math.floor(shown / dayMs);
  const minute = Math.floor((shown - day * dayMs) / minuteMs);
  const hasStartedToday = startMinute <= minute && days.includes(dayOfWeek(day));
  if (startMinute < endMinute) return hasStartedToday && minute < endMinute;
  return hasStartedToday || (minute < endMinute && days.includes(dayOfWeek(day - 1)));
}

/** The next time at which one of the windows may start or end: at a minute of theirs, at midnight or at a clock change. */
export function nextWindowChange(windows: readonly DailyWindow[], zone: string, time: number): number {
  const { offset, endsAt } = seasonAt(zone, time);
  const shown = time + offset;
  const midnight = Math.floor(shown / dayMs) * dayMs;
  const minutes = windows.flatMap(({ startMinute, endMinute }) => [startMinute, endMinute]);
  const changes = [0, ...minutes].map((minute) => {
    const change = midnight + minute * minuteMs;
    return change > shown ? change : change + dayMs;
  });
  return Math.min(endsAt, Math.min(...changes) - offset);
}
