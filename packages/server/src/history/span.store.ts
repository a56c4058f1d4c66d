import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { dayOf, type Months, monthStart } from './calendar.ts';
import type { HistoryStart } from './history-start.store.ts';
import type { Period } from './period.ts';

/**
 * A range of identifiers of occurrences, and the months they were raised in. The last is before the first if there are none.
 * A statement that names the months is planned with their partitions only: with years of them, planning takes longer than reading.
 */
export type Span = { readonly first: number; readonly last: number; readonly months: Months };

/** The occurrences of a period. */
export async function findSpan(
  transaction: TenantTransaction,
  filter: Period,
  start: HistoryStart | undefined,
): Promise<Span> {
  const period = { from: filter.from ?? start?.at, to: filter.to };
  const months = await findMonths(transaction, period);
  if (!months) return { first: 1, last: 0, months: { first: 0, last: 0 } };
  const found = await findEnds(transaction, period, [
    { first: months.first, last: months.first },
    { first: months.last, last: months.last },
  ]);
  if (found.first !== null && found.last !== null) return { first: found.first, last: found.last, months };
  // A month at one of the ends has none.
  const { first, last } = await findEnds(transaction, period, [months, months]);
  return { first: first ?? 1, last: last ?? 0, months };
}

/** The months of the period that can have occurrences; undefined if there are none. */
async function findMonths(transaction: TenantTransaction, { from, to }: Period): Promise<Months | undefined> {
  const { tenantId } = transaction;
  const asked = { first: from && dayOf(from).month, last: to && dayOf(new Date(to.getTime() - 1)).month };
  if (asked.first !== undefined && asked.last !== undefined)
    return asked.first <= asked.last ? { first: asked.first, last: asked.last } : undefined;
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select (select min(month) from text_months where tenant_id = ${tenantId}) as first,
      (select max(month) from text_months where tenant_id = ${tenantId}) as last`.execute(
    transaction.withoutPlugins(),
  );
  const { first, last } = rows[0] ?? { first: null, last: null };
  if (first === null || last === null) return undefined;
  const months = { first: Math.max(asked.first ?? 0, first), last: Math.min(asked.last ?? last, last) };
  return months.first <= months.last ? months : undefined;
}

type Ends = { first: number | null; last: number | null };

/** The first occurrence of the period among these months, and the last one among those. */
async function findEnds(
  transaction: TenantTransaction,
  { from, to }: Period,
  [ofFirst, ofLast]: readonly [Months, Months],
): Promise<Ends> {
  const after = from ? sql`and raised_at >= ${from}` : sql``;
  const before = to ? sql`and raised_at < ${to}` : sql``;
  const within = (months: Months) => sql`select id from occurrences
    where tenant_id = ${transaction.tenantId} ${after} ${before} and ${isWithin('raised_at', months)}`;
  const { rows } = await sql<Ends>`
    select (${within(ofFirst)} order by raised_at, id limit 1) as first,
      (${within(ofLast)} order by raised_at desc, id desc limit 1) as last`.execute(
    transaction.withoutPlugins(),
  );
  return rows[0] ?? { first: null, last: null };
}

/** Whether a column with a time is in one of the months. */
export function isWithin(column: string, { first, last }: Months): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(column)} >= ${monthStart(first)} and ${sql.ref(column)} < ${monthStart(last + 1)})`;
}

/** Planning for so many months is quicker than finding out which of them are needed. */
const fewMonths = 3;

/**
 * The months of some rows of a span that are near its end, or near its start: looks at months in growing steps from there
 * until one begins before the rows, or after them.
 */
export async function monthsOfRows(
  transaction: TenantTransaction,
  { months }: Span,
  { first, last, nearEnd }: { first: number; last: number; nearEnd: boolean },
): Promise<Months> {
  let [lowest, highest] = [months.first, months.last];
  const count = months.last - months.first + 1;
  if (count <= fewMonths) return months;
  for (let step = 0; step < count - 1; step = 2 * step + 1) {
    const month = nearEnd ? months.last - step : months.first + step + 1;
    const start = await firstOfMonth(transaction, month);
    if (start === undefined) continue;
    const [isBefore, isAfter] = [start <= first, start > last];
    if (isBefore) lowest = month;
    if (isAfter) highest = month - 1;
    if (nearEnd ? isBefore : isAfter) break;
  }
  return { first: lowest, last: highest };
}

async function firstOfMonth(transaction: TenantTransaction, month: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from occurrences where tenant_id = ${transaction.tenantId}
      and ${isWithin('raised_at', { first: month, last: month })} order by raised_at, id limit 1`.execute(
    transaction.withoutPlugins(),
  );
  return rows[0]?.id;
}
