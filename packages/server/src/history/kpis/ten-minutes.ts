import { type FloodRule, floodMinutes, isInFlood, offsetSecondsAt } from '@tocsin/domain';
import type { KpiPeriod } from './kpi-period.ts';

export const tenMinutesMs = floodMinutes * 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

/** Alarms in successive ten minutes (UTC) that overlap the period; `first` counts ten minutes from 1970. */
export type TenMinutes = { readonly first: number; readonly counts: Int32Array };

export type TenMinutesFigures = {
  alarms: number;
  busiest: { at: Date; alarms: number } | undefined;
  floods: number;
  tenMinutesAbove: number;
  floodSeconds: number;
  days: { day: string; alarms: number; busiestTenMinutes: number; floodSeconds: number }[];
  /** By weekday, Monday first, and hour. */
  weekdays: number[][];
};

/**
 * The figures that follow from the ten minutes. Each counts in the local day and hour in which it begins. A year has 52,560
 * of them, so the loop looks up days and offsets only where they change.
 */
export function figuresOf(
  { first, counts }: TenMinutes,
  { from, until, zone }: KpiPeriod,
  rule: FloodRule,
): TenMinutesFigures {
  const days: DayFigures[] = [];
  const dayAt = localDays(zone, days);
  const weekdays = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  const sums = { alarms: 0, floods: 0, tenMinutesAbove: 0, busiest: 0 };
  let isFlood = false;
  let today: LocalDay = { number: 0, figures: noFigures(0), start: 0, until: Number.NEGATIVE_INFINITY };
  for (let index = 0; index < counts.length; index++) {
    const alarms = counts[index] ?? 0;
    const start = (first + index) * tenMinutesMs;
    const begin = Math.max(start, from.getTime());
    if (begin >= today.until) today = dayAt(begin);
    const wasFlood = isFlood;
    isFlood = isInFlood(wasFlood, alarms, rule);
    if (isFlood) today.figures.floodSeconds += secondsWithin(start, { from, until });
    sums.floods += Number(isFlood && !wasFlood);
    if (alarms === 0) continue;
    sums.alarms += alarms;
    sums.tenMinutesAbove += Number(alarms > rule.limit);
    sums.busiest = largerOf(counts, sums.busiest, index);
    addTo(today, begin, alarms, weekdays);
  }
  const { busiest, ...others } = sums;
  const at = new Date((first + busiest) * tenMinutesMs);
  return {
    ...others,
    busiest: sums.alarms === 0 ? undefined : { at, alarms: counts[busiest] ?? 0 },
    floodSeconds: days.reduce((sum, day) => sum + day.floodSeconds, 0),
    days,
    weekdays,
  };
}

/** The place of the larger number; the first of equal ones. */
function largerOf(counts: Int32Array, one: number, other: number): number {
  return (counts[other] ?? 0) > (counts[one] ?? 0) ? other : one;
}

function addTo(
  { number, start, figures }: LocalDay,
  begin: number,
  alarms: number,
  weekdays: number[][],
): void {
  figures.alarms += alarms;
  figures.busiestTenMinutes = Math.max(figures.busiestTenMinutes, alarms);
  const hours = weekdays[weekdayOf(number)];
  const hour = Math.floor((begin - start) / hourMs);
  if (hours) hours[hour] = (hours[hour] ?? 0) + alarms;
}

type DayFigures = TenMinutesFigures['days'][number];

/** The figures of a day that counts from 1970. */
function dayIn(days: DayFigures[], number: number): DayFigures {
  const figures = noFigures(number);
  const known = days.slice(-2).find(({ day }) => day === figures.day);
  if (known) return known;
  days.push(figures);
  return figures;
}

function noFigures(number: number): DayFigures {
  const day = new Date(number * dayMs).toISOString().slice(0, 10);
  return { day, alarms: 0, busiestTenMinutes: 0, floodSeconds: 0 };
}

/** A day counts from 1970. Monday is 0, and so was the fifth of January 1970. */
function weekdayOf(day: number): number {
  return (day + 3) % 7;
}

/** A local day, its start as an instant, and the instant from which on another day or offset counts. */
type LocalDay = { number: number; figures: DayFigures; start: number; until: number };

/** Offsets are looked up once for each day (UTC) in which they do not change. */
function localDays(zone: string, days: DayFigures[]): (at: number) => LocalDay {
  const offsetAt = (at: number) => offsetSecondsAt(zone, new Date(at)) * 1000;
  let known = { day: Number.NaN, endOffset: 0, isSteady: false };
  return (at) => {
    const day = Math.floor(at / dayMs);
    if (day !== known.day) {
      const startOffset = known.day === day - 1 ? known.endOffset : offsetAt(day * dayMs);
      const endOffset = offsetAt((day + 1) * dayMs);
      known = { day, endOffset, isSteady: startOffset === endOffset };
    }
    const offset = known.isSteady ? known.endOffset : offsetAt(at);
    const number = Math.floor((at + offset) / dayMs);
    const start = number * dayMs - offset;
    const until = known.isSteady ? Math.min((day + 1) * dayMs, start + dayMs) : at;
    return { number, figures: dayIn(days, number), start, until };
  };
}

function secondsWithin(start: number, { from, until }: Pick<KpiPeriod, 'from' | 'until'>): number {
  const end = Math.min(start + tenMinutesMs, until.getTime());
  return Math.round((end - Math.max(start, from.getTime())) / 1000);
}
