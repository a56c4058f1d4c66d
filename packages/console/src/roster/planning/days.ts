import type { Roster } from '@tocsin/domain';
import { dayOfWeek, type RosterInterval, rosterChanges, rotationWeek, seasonAt } from '@tocsin/domain';
import type { Draft, Slot } from './draft.ts';
import { dateOfDay, dayOfDate } from './roster-of.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const minutesOfDay = 1_440;

/** The local time as if it were UTC. */
const shown = (ms: number, zone: string) => ms + seasonAt(zone, ms).offset;

/** The day of the calendar at an instant, counted from 1 January 1970. */
export const dayAt = (ms: number, zone: string): number => Math.floor(shown(ms, zone) / dayMs);

/** Minutes from midnight that clocks show at an instant. */
export const minuteAt = (ms: number, zone: string): number =>
  Math.floor((shown(ms, zone) - dayAt(ms, zone) * dayMs) / minuteMs);

/** The instant at which clocks first show a minute of a day; a time that they skip is the change itself. */
export function instantOf(day: number, minute: number, zone: string): number {
  const local = day * dayMs + minute * minuteMs;
  const early = local - seasonAt(zone, local - dayMs).offset;
  if (shown(early, zone) === local) return early;
  const late = local - seasonAt(zone, early).offset;
  return shown(late, zone) === local ? late : seasonAt(zone, early).startsAt;
}

/** The Monday of a week. */
export const mondayOf = (day: number): number => day + 1 - dayOfWeek(day);

/** The days of the weeks that a month touches. */
export function daysOfMonth(day: number): number[] {
  const date = new Date(day * dayMs);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / dayMs;
  const last = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0) / dayMs;
  const from = mondayOf(first);
  return Array.from({ length: mondayOf(last) + 7 - from }, (_, index) => from + index);
}

/** The same day of another month, or its last one. */
export function addMonths(day: number, months: number): number {
  const date = new Date(day * dayMs);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), last)) / dayMs;
}

/** Which slots a day has: those of its day of the week and its week of the rotation; a holiday those of a Sunday. */
export function placeOf({ weeks, start, holidays }: Draft, day: number): Pick<Slot, 'day' | 'week'> {
  const isHoliday = holidays.some(({ date }) => date === dateOfDay(day));
  return {
    day: isHoliday ? 7 : dayOfWeek(day),
    week: weeks === 1 ? 1 : rotationWeek({ weeks, firstDay: dayOfDate(start) }, day),
  };
}

export const slotsOn = (draft: Draft, day: number): readonly Slot[] => {
  const place = placeOf(draft, day);
  return draft.slots.filter((slot) => slot.day === place.day && slot.week === place.week);
};

/** A part of a day, in minutes from midnight. */
export type Span = { readonly from: number; readonly to: number };

/** The part of a period that is on a day; undefined if there is none. */
export function spanOn(
  { from, to }: { readonly from: number; readonly to: number },
  day: number,
  zone: string,
): Span | undefined {
  const [start, end] = [shown(from, zone), shown(to - 1, zone) + 1];
  const clipped = {
    from: Math.max(0, (start - day * dayMs) / minuteMs),
    to: Math.min(minutesOfDay, (end - day * dayMs) / minuteMs),
  };
  return clipped.from < clipped.to ? clipped : undefined;
}

export type Duty = RosterInterval;

/** Who is on duty from the begin of a day until that of another. */
export function dutiesOf(roster: Roster, zone: string, fromDay: number, toDay: number): readonly Duty[] {
  const [from, to] = [instantOf(fromDay, 0, zone), instantOf(toDay, 0, zone)];
  return rosterChanges(roster, zone, new Date(from), new Date(to));
}

/** Hours of a day: 23 or 25 when clocks change. */
export const hoursOf = (day: number, zone: string): number =>
  (instantOf(day + 1, 0, zone) - instantOf(day, 0, zone)) / 3_600_000;

/** Slots that overlap are drawn one above the other: the lane of each, and how many there are. */
export function lanesOf(slots: readonly Slot[]): readonly { slot: Slot; lane: number; lanes: number }[] {
  const inOrder = slots.toSorted((one, other) => one.from - other.from || one.teamId - other.teamId);
  const ends: number[] = [];
  const placed = inOrder.map((slot) => {
    const free = ends.findIndex((end) => end <= slot.from);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = slot.to;
    return { slot, lane };
  });
  return placed.map(({ slot, lane }) => ({ slot, lane, lanes: ends.length }));
}
