import type { Roster } from '../roster/roster.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** One minute of a period. `shown` is its local time, expressed as if it were UTC. */
export type WatchedMinute = { time: number; shown: number };

const clocks = new Map<string, Intl.DateTimeFormat>();

export function watchClock(zone: string, from: number, to: number): WatchedMinute[] {
  const minutes: WatchedMinute[] = [];
  for (let time = from; time < to; time += minuteMs) minutes.push({ time, shown: read(zone, time) });
  return minutes;
}

function read(timeZone: string, time: number): number {
  const style = { hourCycle: 'h23', dateStyle: 'short', timeStyle: 'medium' } as const;
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { timeZone, ...style });
  clocks.set(timeZone, clock);
  const [day = 0, month = 0, year = 0, ...rest] = clock.format(time).split(/\D+/).map(Number);
  return Date.UTC(year, month - 1, day, ...rest);
}

/** The starts of the UTC days with a clock change. */
export function daysOfChange(zone: string, from: Date, to: Date): number[] {
  const days: number[] = [];
  let before = read(zone, from.getTime()) - from.getTime();
  for (let day = from.getTime(); day < to.getTime(); day += dayMs) {
    const after = read(zone, day + dayMs) - (day + dayMs);
    if (before !== after) days.push(day);
    before = after;
  }
  return days;
}

/**
 * A reference model of the teams on duty in each minute: a slot begins when its start is first shown and ends when its
 * end is last shown; a time that is never shown counts at the clock change that skips it.
 */
export function teamsByWallClock(
  { slots, holidays = [], rotation = { weeks: 1, firstDay: 0 } }: Roster,
  minutes: readonly WatchedMinute[],
): Set<number>[] {
  const teams = minutes.map(() => new Set<number>());
  const shown = minutes.map((minute) => minute.shown);
  const firstDay = Math.floor(Math.min(...shown) / dayMs);
  const lastDay = Math.floor(Math.max(...shown) / dayMs);
  for (let day = firstDay; day <= lastDay; day++) {
    const weekDay = holidays.includes(day) ? 7 : weekDayOf(day);
    const weeks = (mondayOf(day) - mondayOf(rotation.firstDay)) / 7;
    const isDue = ({ week = 1 }) => week <= rotation.weeks && (weeks + 1 - week) % rotation.weeks === 0;
    const today = slots.filter((one) => one.day === weekDay && (one.week === undefined || isDue(one)));
    for (const slot of rotation.weeks === 1 ? slots.filter((one) => one.day === weekDay) : today) {
      const start = find(shown, day * dayMs + slot.startMinute * minuteMs, 'first');
      const end = find(shown, day * dayMs + slot.endMinute * minuteMs, 'last');
      for (const team of teams.slice(start, Math.max(start, end))) team.add(slot.teamId);
    }
  }
  return teams;
}

const weekDayOf = (day: number) => new Date(day * dayMs).getUTCDay() || 7;
const mondayOf = (day: number) => day + 1 - weekDayOf(day);

function find(shown: readonly number[], wanted: number, which: 'first' | 'last'): number {
  const at = which === 'first' ? shown.indexOf(wanted) : shown.lastIndexOf(wanted);
  if (at >= 0) return at;
  const skipped = shown.findIndex((time) => time > wanted);
  return skipped >= 0 ? skipped : shown.length;
}
