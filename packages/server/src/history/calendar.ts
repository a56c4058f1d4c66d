import type { Period } from './period.ts';

/**
 * A period split into days, hours and remaining intervals. Sums are kept per day and hour (UTC); only the remaining
 * intervals are counted from raw rows. Both forms cover each instant of the period once.
 */
export type Calendar = {
  readonly nearest: NearestDays;
  readonly inside: Inside;
};

/** The days between the midnights nearest to the ends of the period, and the corrections at both ends. */
export type NearestDays = {
  readonly days: WholeDays | undefined;
  readonly edges: readonly Edge[];
};

/** An interval to add to the days or to subtract from them: at most half a day if there are days. */
export type Edge = { readonly interval: Interval; readonly sign: 1 | -1 };

/** The days and hours that lie wholly in the period, and less than an hour at either end. */
export type Inside = {
  readonly days: WholeDays | undefined;
  readonly hours: readonly Interval[];
  readonly rest: readonly Interval[];
};

/** Includes `from` and excludes `to`. */
export type Interval = readonly [from: Date, to: Date];

/** Whole days, both included. */
export type WholeDays = {
  readonly first: DayOfMonth;
  readonly last: DayOfMonth;
};

/** Months count from year 0. */
export type DayOfMonth = { readonly month: number; readonly day: number };

const hourMs = 3_600_000;
const dayMs = 86_400_000;
const always: WholeDays = { first: { month: 0, day: 1 }, last: { month: 9_999 * 12 + 11, day: 31 } };

export function splitPeriod(period: Period): Calendar {
  return { nearest: nearestDays(period), inside: insideOf(period) };
}

function nearestDays({ from, to }: Period): NearestDays {
  const first = from ? Math.round(from.getTime() / dayMs) : Number.NEGATIVE_INFINITY;
  const end = to ? Math.round(to.getTime() / dayMs) : Number.POSITIVE_INFINITY;
  if (from && to && first >= end) return { days: undefined, edges: signed(interval(from, to), 1) };
  const [start, stop] = [startOf(first), startOf(end)];
  return {
    days: wholeDays(first, end),
    edges: [
      ...(from ? [...signed(interval(from, start), 1), ...signed(interval(start, from), -1)] : []),
      ...(to ? [...signed(interval(stop, to), 1), ...signed(interval(to, stop), -1)] : []),
    ],
  };
}

function insideOf(period: Period): Inside {
  const { first, end, rest: edges } = wholeUnits(period, dayMs);
  const parts = edges.map(([from, to]) => wholeUnits({ from, to }, hourMs));
  return {
    days: first < end ? wholeDays(first, end) : undefined,
    hours: parts.flatMap((part) => interval(new Date(part.first * hourMs), new Date(part.end * hourMs))),
    rest: parts.flatMap(({ rest }) => rest),
  };
}

/** The units from `first` up to, without, `end` that lie wholly in the period, and the intervals outside them. */
function wholeUnits({ from, to }: Period, unitMs: number): { first: number; end: number; rest: Interval[] } {
  const first = from ? Math.ceil(from.getTime() / unitMs) : Number.NEGATIVE_INFINITY;
  const end = to ? Math.floor(to.getTime() / unitMs) : Number.POSITIVE_INFINITY;
  // A period within one unit contains no whole unit.
  if (from && to && first > end) return { first, end: first, rest: interval(from, to) };
  const before = from ? interval(from, new Date(first * unitMs)) : [];
  const after = to ? interval(new Date(end * unitMs), to) : [];
  return { first, end, rest: [...before, ...after] };
}

function interval(from: Date, to: Date): Interval[] {
  return from < to ? [[from, to]] : [];
}

function signed(intervals: readonly Interval[], sign: Edge['sign']): Edge[] {
  return intervals.map((one) => ({ interval: one, sign }));
}

/** From the first day up to, without, the end; infinity stands for an open end. */
function wholeDays(first: number, end: number): WholeDays {
  return {
    first: Number.isFinite(first) ? dayOf(startOf(first)) : always.first,
    last: Number.isFinite(end) ? dayOf(startOf(end - 1)) : always.last,
  };
}

function startOf(day: number): Date {
  return new Date(day * dayMs);
}

/** Midnight (UTC) of the first day of a month. */
export function monthStart(month: number): Date {
  return midnight({ month, day: 1 });
}

/** The start of a day (UTC). */
export function midnight({ month, day }: DayOfMonth): Date {
  return new Date(Date.UTC(Math.floor(month / 12), month % 12, day));
}

/** The day (UTC) of an instant. */
export function dayOf(instant: Date): DayOfMonth {
  return { month: instant.getUTCFullYear() * 12 + instant.getUTCMonth(), day: instant.getUTCDate() };
}

/** The days between the nearest midnights that are only partly in the period. */
export function overlappingDays({ edges }: NearestDays): DayOfMonth[] {
  const days = edges.filter(({ sign }) => sign < 0).map(({ interval: [from] }) => dayOf(from));
  return days.filter((day, index) => index === days.findIndex((other) => dayText(other) === dayText(day)));
}

/** Months, both included; none if the last is before the first. */
export type Months = { readonly first: number; readonly last: number };

/** Every month that overlaps the period. */
export function touchedMonths({ days, edges }: NearestDays): Months {
  const ends = edges.flatMap(({ interval: [from, to] }) => [from, new Date(to.getTime() - 1)]);
  const months = [...(days ? [days.first, days.last] : []), ...ends.map(dayOf)].map(({ month }) => month);
  return { first: Math.min(...months), last: Math.max(...months) };
}

/** The months all of whose days count. */
export function wholeMonths(days: WholeDays | undefined): Months {
  if (!days) return { first: 0, last: -1 };
  const cut = partialMonths(days).map(({ month }) => month);
  return {
    first: days.first.month + (cut.includes(days.first.month) ? 1 : 0),
    last: days.last.month - (cut.includes(days.last.month) ? 1 : 0),
  };
}

/** The months of which only some days count: at most the first and the last, with these days. */
export function partialMonths({ first, last }: WholeDays): { month: number; from: number; to: number }[] {
  if (first.month === last.month)
    return isWhole(first, last) ? [] : [{ month: first.month, from: first.day, to: last.day }];
  return [
    ...(first.day > 1 ? [{ month: first.month, from: first.day, to: 31 }] : []),
    ...(last.day < daysIn(last.month) ? [{ month: last.month, from: 1, to: last.day }] : []),
  ];
}

function isWhole(first: DayOfMonth, last: DayOfMonth): boolean {
  return first.day === 1 && last.day >= daysIn(last.month);
}

export function daysIn(month: number): number {
  return new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate();
}

/** A day in the format of PostgreSQL. */
export function dayText({ month, day }: DayOfMonth): string {
  const year = String(Math.max(1, Math.floor(month / 12))).padStart(4, '0');
  return `${year}-${String((month % 12) + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** Whole days split at the first open month: whole months before it, and the days around them. */
export type ClosedAndOpen = { readonly closed: Months | undefined; readonly open: readonly WholeDays[] };

export function splitAtOpenMonth(days: WholeDays, firstOpen: number): ClosedAndOpen {
  const whole = wholeMonths(days);
  const closed = { first: whole.first, last: Math.min(whole.last, firstOpen - 1) };
  if (closed.last < closed.first) return { closed: undefined, open: [days] };
  const before = { first: days.first, last: { month: closed.first - 1, day: daysIn(closed.first - 1) } };
  const after = { first: { month: closed.last + 1, day: 1 }, last: days.last };
  return {
    closed,
    open: [
      ...(days.first.month < closed.first ? [before] : []),
      ...(days.last.month > closed.last ? [after] : []),
    ],
  };
}

/** Whole days split at the first open month: those before it, and those from it on. */
export function splitDaysAtOpenMonth(
  { first, last }: WholeDays,
  firstOpen: number,
): { readonly closed: WholeDays | undefined; readonly open: WholeDays | undefined } {
  const lastClosed = { month: firstOpen - 1, day: daysIn(firstOpen - 1) };
  const firstOfOpen = { month: firstOpen, day: 1 };
  return {
    closed: first.month < firstOpen ? { first, last: last.month < firstOpen ? last : lastClosed } : undefined,
    open:
      last.month >= firstOpen ? { first: first.month < firstOpen ? firstOfOpen : first, last } : undefined,
  };
}

/** The day after. */
export function dayAfter({ month, day }: DayOfMonth): DayOfMonth {
  return day < daysIn(month) ? { month, day: day + 1 } : { month: month + 1, day: 1 };
}

/** The day before. The last day of a month may be given as 31, whatever its length. */
export function dayBefore({ month, day }: DayOfMonth): DayOfMonth {
  return day > 1 ? { month, day: day - 1 } : { month: month - 1, day: 31 };
}
