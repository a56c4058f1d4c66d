import type { Period } from './period.ts';

/**
 * A period taken apart, so that most of it can be added up from sums. Sums are kept per day and hour (UTC), and what they
 * do not know is counted from raw rows. Both ways name each instant of the period once.
 */
export type Calendar = {
  readonly nearest: NearestDays;
  readonly inside: Inside;
};

/** Days whose ends are the midnights nearest to those of the period, and what is to be put right at either edge. */
export type NearestDays = {
  readonly days: WholeDays | undefined;
  readonly edges: readonly Edge[];
};

/** What the days are short of, to be added, or have too much, to be taken away: half a day at most where there are days. */
export type Edge = { readonly stretch: Stretch; readonly sign: 1 | -1 };

/** The days and hours that lie in the period altogether, and less than an hour at either edge. */
export type Inside = {
  readonly days: WholeDays | undefined;
  readonly hours: readonly Stretch[];
  readonly rest: readonly Stretch[];
};

/** From the first instant on, up to the second. */
export type Stretch = readonly [from: Date, to: Date];

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

export function takeApart(period: Period): Calendar {
  return { nearest: nearestDays(period), inside: insideOf(period) };
}

function nearestDays({ from, to }: Period): NearestDays {
  const first = from ? Math.round(from.getTime() / dayMs) : Number.NEGATIVE_INFINITY;
  const end = to ? Math.round(to.getTime() / dayMs) : Number.POSITIVE_INFINITY;
  if (from && to && first >= end) return { days: undefined, edges: signed(stretch(from, to), 1) };
  const [start, stop] = [startOf(first), startOf(end)];
  return {
    days: wholeDays(first, end),
    edges: [
      ...(from ? [...signed(stretch(from, start), 1), ...signed(stretch(start, from), -1)] : []),
      ...(to ? [...signed(stretch(stop, to), 1), ...signed(stretch(to, stop), -1)] : []),
    ],
  };
}

function insideOf(period: Period): Inside {
  const { first, end, rest: edges } = wholeUnits(period, dayMs);
  const parts = edges.map(([from, to]) => wholeUnits({ from, to }, hourMs));
  return {
    days: first < end ? wholeDays(first, end) : undefined,
    hours: parts.flatMap((part) => stretch(new Date(part.first * hourMs), new Date(part.end * hourMs))),
    rest: parts.flatMap(({ rest }) => rest),
  };
}

/** The units from the first up to the end that lie in the period altogether, none when they meet, and the rest of it. */
function wholeUnits({ from, to }: Period, unitMs: number): { first: number; end: number; rest: Stretch[] } {
  const first = from ? Math.ceil(from.getTime() / unitMs) : Number.NEGATIVE_INFINITY;
  const end = to ? Math.floor(to.getTime() / unitMs) : Number.POSITIVE_INFINITY;
  // Within one unit there is no whole one.
  if (from && to && first > end) return { first, end: first, rest: stretch(from, to) };
  const before = from ? stretch(from, new Date(first * unitMs)) : [];
  const after = to ? stretch(new Date(end * unitMs), to) : [];
  return { first, end, rest: [...before, ...after] };
}

function stretch(from: Date, to: Date): Stretch[] {
  return from < to ? [[from, to]] : [];
}

function signed(stretches: readonly Stretch[], sign: Edge['sign']): Edge[] {
  return stretches.map((one) => ({ stretch: one, sign }));
}

/** From the first day up to the end; one that is infinite stands for an end that is open. */
function wholeDays(first: number, end: number): WholeDays {
  return {
    first: Number.isFinite(first) ? dayOf(startOf(first)) : always.first,
    last: Number.isFinite(end) ? dayOf(startOf(end - 1)) : always.last,
  };
}

function startOf(day: number): Date {
  return new Date(day * dayMs);
}

/** The day (UTC) an instant lies in. */
export function dayOf(instant: Date): DayOfMonth {
  return { month: instant.getUTCFullYear() * 12 + instant.getUTCMonth(), day: instant.getUTCDate() };
}

/** The days that the nearest midnights take in though the period does not have all of them. */
export function overlappingDays({ edges }: NearestDays): DayOfMonth[] {
  const days = edges.filter(({ sign }) => sign < 0).map(({ stretch: [from] }) => dayOf(from));
  return days.filter((day, index) => index === days.findIndex((other) => dayText(other) === dayText(day)));
}

/** Months, both included; none when the last is before the first. */
export type Months = { readonly first: number; readonly last: number };

/** Every month of which the period has at least an instant. */
export function touchedMonths({ days, edges }: NearestDays): Months {
  const ends = edges.flatMap(({ stretch: [from, to] }) => [from, new Date(to.getTime() - 1)]);
  const months = [...(days ? [days.first, days.last] : []), ...ends.map(dayOf)].map(({ month }) => month);
  return { first: Math.min(...months), last: Math.max(...months) };
}

/** The months of which every day counts. */
export function wholeMonths(days: WholeDays | undefined): Months {
  if (!days) return { first: 0, last: -1 };
  const cut = partialMonths(days).map(({ month }) => month);
  return {
    first: days.first.month + (cut.includes(days.first.month) ? 1 : 0),
    last: days.last.month - (cut.includes(days.last.month) ? 1 : 0),
  };
}

/** The months of which only some days count, with these days: at most the first and the last. */
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

function daysIn(month: number): number {
  return new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate();
}

/** A day as PostgreSQL reads it. */
export function dayText({ month, day }: DayOfMonth): string {
  const year = String(Math.max(1, Math.floor(month / 12))).padStart(4, '0');
  return `${year}-${String((month % 12) + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
