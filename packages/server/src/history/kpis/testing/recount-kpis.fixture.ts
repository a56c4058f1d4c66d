import type { RawOccurrence } from '../../testing/recount.fixture.ts';
import type { KpiPeriod } from '../kpi-period.ts';

const minuteMs = 60_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** One for each zone, because making one takes long. */
function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const [year, digits] = ['numeric', '2-digit'] as const;
  const parts = { year, month: digits, day: digits, hour: digits };
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, hourCycle: 'h23', ...parts });
  formats.set(timeZone, format);
  return format;
}

/** Local day, weekday (Monday is 0) and hour of an instant, by the clock of the browser's library. */
function localOf(zone: string, at: number): { day: string; weekday: number; hour: number } {
  const parts = new Map(
    formatIn(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const day = `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
  return {
    day,
    weekday: (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7,
    hour: Number(parts.get('hour')),
  };
}

/** The ten minutes that overlap the period, one after the other, with the occurrences raised in each. */
export function recountRate(
  kept: readonly RawOccurrence[],
  { from, until, zone }: KpiPeriod,
  operators: number,
) {
  const days = new Map<string, { alarms: number; busiestTenMinutes: number; floodSeconds: number }>();
  const weekdays = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  const figures = { floods: 0, tenMinutesAbove: 0, seconds: 0, busiest: 0 };
  let isFlood = false;
  const firstStart = Math.floor(from.getTime() / (10 * minuteMs)) * 10 * minuteMs;
  for (let start = firstStart; start < until.getTime(); start += 10 * minuteMs) {
    const end = start + 10 * minuteMs;
    const alarms = kept.filter(
      ({ raisedAt }) => raisedAt.getTime() >= start && raisedAt.getTime() < end,
    ).length;
    const wasFlood: boolean = isFlood;
    isFlood = alarms > 10 * operators || (wasFlood && alarms >= 5 * operators);
    if (isFlood && !wasFlood) figures.floods += 1;
    if (alarms > 10 * operators) figures.tenMinutesAbove += 1;
    const inside = Math.min(end, until.getTime()) - Math.max(start, from.getTime());
    const floodSeconds = isFlood ? Math.round(inside / 1000) : 0;
    figures.seconds += floodSeconds;
    figures.busiest = Math.max(figures.busiest, alarms);
    const local = localOf(zone, Math.max(start, from.getTime()));
    const day = days.get(local.day) ?? { alarms: 0, busiestTenMinutes: 0, floodSeconds: 0 };
    days.set(local.day, {
      alarms: day.alarms + alarms,
      busiestTenMinutes: Math.max(day.busiestTenMinutes, alarms),
      floodSeconds: day.floodSeconds + floodSeconds,
    });
    const hours = weekdays[local.weekday];
    if (hours) hours[local.hour] = (hours[local.hour] ?? 0) + alarms;
  }
  return { ...figures, weekdays, days: [...days].map(([day, rest]) => Object.assign({ day }, rest)) };
}

/** The tags with the most occurrences, and their numbers. */
export function recountTags(kept: readonly RawOccurrence[]): [tagId: number, alarms: number][] {
  const counts = [...Map.groupBy(kept, ({ tagId }) => tagId)].map(([id, own]): [number, number] => [
    id,
    own.length,
  ]);
  return counts.toSorted(([oneId, one], [otherId, other]) => other - one || oneId - otherId);
}

/** Those that were raised less than a minute after the last but one raise of their tag. */
export function chatteringOf(all: readonly RawOccurrence[]): RawOccurrence[] {
  return all.filter((occurrence, index) => {
    const before = all.slice(0, index).filter(({ tagId }) => tagId === occurrence.tagId);
    const third = before.at(-2);
    return third !== undefined && occurrence.raisedAt.getTime() - third.raisedAt.getTime() < minuteMs;
  });
}

/** Numbers and mean times of acknowledgments and resets. */
export function recountResponse(kept: readonly RawOccurrence[]) {
  const reactions = kept.flatMap(({ raisedAt, acknowledgedAt }) => secondsBetween(raisedAt, acknowledgedAt));
  const repairs = kept.flatMap(({ raisedAt, resetAt }) => secondsBetween(raisedAt, resetAt));
  return {
    alarms: kept.length,
    acknowledged: reactions.length,
    ...(reactions.length > 0 && { reactionMeanTime: meanOf(reactions) }),
    repaired: repairs.length,
    ...(repairs.length > 0 && { repairMeanTime: meanOf(repairs) }),
  };
}

function secondsBetween(start: Date, end: Date | null): number[] {
  if (!end || end < start) return [];
  return [Math.floor(end.getTime() / 1000) - Math.floor(start.getTime() / 1000)];
}

function meanOf(seconds: readonly number[]): string {
  const mean = Math.floor(seconds.reduce((sum, one) => sum + one, 0) / seconds.length);
  return [mean / 3600, (mean / 60) % 60, mean % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');
}
