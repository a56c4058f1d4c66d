import { type FloodRule, floodMinutes, floodsIn, offsetSecondsAt } from '@tocsin/domain';
import type { KpiPeriod } from './kpi-period.ts';

export const tenMinutesMs = floodMinutes * 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

/** Alarms in successive ten minutes (UTC) that overlap the period; `first` counts ten minutes from 1970. */
export type TenMinutes = { readonly first: number; readonly counts: readonly number[] };

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

/** The figures that follow from the ten minutes. Each counts in the local day and hour in which it begins. */
export function figuresOf(
  { first, counts }: TenMinutes,
  { from, until, zone }: KpiPeriod,
  rule: FloodRule,
): TenMinutesFigures {
  const flooded = floodsIn(counts, rule);
  const weekdays = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  const days: DayFigures[] = [];
  const offsetAt = offsetsOf(zone);
  let today = { number: Number.NaN, figures: noFigures(0) };
  for (let index = 0; index < counts.length; index++) {
    const alarms = counts[index] ?? 0;
    const start = (first + index) * tenMinutesMs;
    const begin = Math.max(start, from.getTime());
    const local = begin + offsetAt(begin);
    const number = Math.floor(local / dayMs);
    // A clock that is set back at midnight returns to a day that is known.
    if (number !== today.number) today = { number, figures: dayIn(days, number) };
    const { figures } = today;
    figures.alarms += alarms;
    if (alarms > figures.busiestTenMinutes) figures.busiestTenMinutes = alarms;
    if (flooded[index]) figures.floodSeconds += secondsWithin(start, { from, until });
    const hours = alarms > 0 ? weekdays[weekdayOf(local)] : undefined;
    const hour = Math.floor(local / hourMs) % 24;
    if (hours) hours[hour] = (hours[hour] ?? 0) + alarms;
  }
  return {
    alarms: counts.reduce((sum, alarms) => sum + alarms, 0),
    busiest: busiestOf(first, counts),
    floods: flooded.filter((isFlood, index) => isFlood && !flooded[index - 1]).length,
    tenMinutesAbove: counts.filter((alarms) => alarms > rule.limit).length,
    floodSeconds: days.reduce((sum, day) => sum + day.floodSeconds, 0),
    days,
    weekdays,
  };
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

/** Monday is 0, and so was the fifth of January 1970. */
function weekdayOf(local: number): number {
  return (Math.floor(local / dayMs) + 3) % 7;
}

/** The offset of local time from UTC in milliseconds. It is looked up once for each day in which it does not change. */
function offsetsOf(zone: string): (at: number) => number {
  const lookUp = (at: number) => offsetSecondsAt(zone, new Date(at)) * 1000;
  let known = { day: Number.NaN, end: 0, isSteady: false };
  return (at) => {
    const day = Math.floor(at / dayMs);
    if (day !== known.day) {
      const start = known.day === day - 1 ? known.end : lookUp(day * dayMs);
      const end = lookUp((day + 1) * dayMs);
      known = { day, end, isSteady: start === end };
    }
    return known.isSteady ? known.end : lookUp(at);
  };
}

function busiestOf(first: number, counts: readonly number[]): TenMinutesFigures['busiest'] {
  const index = counts.reduce((best, alarms, at) => (alarms > (counts[best] ?? 0) ? at : best), 0);
  const alarms = counts[index] ?? 0;
  return alarms === 0 ? undefined : { at: new Date((first + index) * tenMinutesMs), alarms };
}

function secondsWithin(start: number, { from, until }: Pick<KpiPeriod, 'from' | 'until'>): number {
  const end = Math.min(start + tenMinutesMs, until.getTime());
  return Math.round((end - Math.max(start, from.getTime())) / 1000);
}
