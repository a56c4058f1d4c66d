/**
 * A period taken apart, so that most of it can be added up from sums: whole days (UTC) in the middle, which the sums
 * know, and less than a day at either edge, of which the raw rows are counted.
 */
export type Calendar = {
  readonly edges: readonly Edge[];
  readonly days: WholeDays | undefined;
};

/** From the first instant on, up to the second. */
export type Edge = readonly [from: Date, to: Date];

/** Whole days, both included. Months count from year 0. */
export type WholeDays = {
  readonly first: DayOfMonth;
  readonly last: DayOfMonth;
};

type DayOfMonth = { readonly month: number; readonly day: number };

const dayMs = 86_400_000;
const always: WholeDays = { first: { month: 0, day: 1 }, last: { month: 9_999 * 12 + 11, day: 31 } };

export function takeApart({ from, to }: { from?: Date | undefined; to?: Date | undefined }): Calendar {
  const firstDay = from === undefined ? Number.NEGATIVE_INFINITY : Math.ceil(from.getTime() / dayMs);
  const endDay = to === undefined ? Number.POSITIVE_INFINITY : Math.floor(to.getTime() / dayMs);
  // Within one day there is no whole one.
  if (from && to && firstDay > endDay) return { edges: edge(from, to), days: undefined };
  const edges = [...(from ? edge(from, startOf(firstDay)) : []), ...(to ? edge(startOf(endDay), to) : [])];
  if (firstDay === endDay) return { edges, days: undefined };
  const first = from ? dayOfMonth(firstDay) : always.first;
  const last = to ? dayOfMonth(endDay - 1) : always.last;
  return { edges, days: { first, last } };
}

function edge(from: Date, to: Date): Edge[] {
  return from < to ? [[from, to]] : [];
}

function startOf(day: number): Date {
  return new Date(day * dayMs);
}

function dayOfMonth(day: number): DayOfMonth {
  const date = startOf(day);
  return { month: date.getUTCFullYear() * 12 + date.getUTCMonth(), day: date.getUTCDate() };
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
