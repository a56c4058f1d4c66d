import { fromLocal, toLocal } from '../time/local-time.ts';

export const periodNames = ['day', 'week', 'month', 'year'] as const;
export type PeriodName = (typeof periodNames)[number];

/** A period in an address: one that ends now, or days, both included. */
export type PeriodSearch = {
  readonly period?: PeriodName | undefined;
  /** `2026-11-15`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

/** Milliseconds since 1970; the end is not included. */
export type Period = { readonly from: number; readonly to: number };

const dayMs = 86_400_000;
const tenMinutesMs = 600_000;
const daysOf: Record<Exclude<PeriodName, 'day'>, number> = { week: 7, month: 30, year: 365 };
/** The longest period of which the server answers key figures. */
const mostDays = 400;

const dayIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

/** A number of an address that names something; whatever is not understood names nothing. */
export function idIn(value: unknown): number | undefined {
  const id = Number(value);
  return Number.isInteger(id) && id > 0 ? id : undefined;
}

export function readPeriod(search: Record<string, unknown>): PeriodSearch {
  const [from, to] = [dayIn(search['from']), dayIn(search['to'])];
  const period = periodNames.find((name) => name === search['period']);
  return from !== undefined && to !== undefined ? { from, to } : { period };
}

/** The local day that begins a number of days after another one. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

export function startOfDay(day: string, zone: string | undefined): number {
  return fromLocal(`${day}T00:00`, zone) ?? Date.parse(day);
}

export const dayOf = (ms: number, zone: string | undefined): string => toLocal(ms, zone).slice(0, 10);

/** The period of an address. Ends are whole days or ten minutes, so that it is not another one each second. */
export function periodOf(
  search: PeriodSearch,
  now: number,
  zone: string | undefined,
  usual: PeriodName = 'week',
): Period {
  const { from, to, period = usual } = search;
  if (from !== undefined && to !== undefined) {
    const [first, last] = from <= to ? [from, to] : [to, from];
    const earliest = addDays(last, 1 - mostDays);
    return {
      from: startOfDay(first < earliest ? earliest : first, zone),
      to: startOfDay(addDays(last, 1), zone),
    };
  }
  if (period === 'day') {
    const end = Math.ceil(now / tenMinutesMs) * tenMinutesMs;
    return { from: end - dayMs, to: end };
  }
  const today = dayOf(now, zone);
  return {
    from: startOfDay(addDays(today, 1 - daysOf[period]), zone),
    to: startOfDay(addDays(today, 1), zone),
  };
}

/** The calendar month, `2026-11`, of a report. */
export function monthOf(month: string, zone: string | undefined): Period {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const next = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
  return { from: startOfDay(`${month}-01`, zone), to: startOfDay(next, zone) };
}

/** The last month that is over. */
export function lastMonth(now: number, zone: string | undefined): string {
  return addDays(`${dayOf(now, zone).slice(0, 7)}-01`, -1).slice(0, 7);
}
