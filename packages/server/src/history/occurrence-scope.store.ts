import { type RawBuilder, sql } from 'kysely';
import { awaitPipelined } from '../postgres/pipeline.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { type Calendar, type Interval, splitPeriod } from './calendar.ts';
import { type HistoryStart, readHistoryStart, withinHistory } from './history-start.store.ts';
import {
  findMatchingTexts,
  isMatchingText,
  type MatchingTexts,
  type OccurrenceFilter,
} from './occurrence-filter.store.ts';

/**
 * The occurrences that match a query, resolved once: a range of identifiers (they rise with time and have no gaps), texts,
 * and the user who acknowledged.
 */
export type OccurrenceScope = {
  /** The last is before the first if there are none. */
  readonly first: number;
  readonly last: number;
  readonly texts: MatchingTexts | undefined;
  readonly userId: number | undefined;
  readonly calendar: Calendar;
  /** The time up to which the duration of an active occurrence is counted. */
  readonly until: Date;
  /** Whether the query has a period. */
  readonly hasPeriod: boolean;
};

export async function resolveScope(
  transaction: TenantTransaction,
  asked: OccurrenceFilter,
): Promise<OccurrenceScope> {
  const start = await readHistoryStart(transaction);
  const filter = withinHistory(asked, start);
  const [texts, span] = await awaitPipelined([
    findMatchingTexts(transaction, filter),
    findSpan(transaction, filter, start),
  ]);
  return { ...describeScope(transaction, filter, texts), ...span };
}

/** A scope without its range of identifiers, for sums, which do not need it. */
export type SumScope = Omit<OccurrenceScope, 'first' | 'last'>;

export function describeScope(
  { now }: TenantTransaction,
  filter: OccurrenceFilter,
  texts: MatchingTexts | undefined,
): SumScope {
  const { from, to, userId } = filter;
  return {
    texts,
    userId,
    calendar: splitPeriod(filter),
    until: to && to < now ? to : now,
    hasPeriod: from !== undefined || to !== undefined,
  };
}

export async function findSpan(
  transaction: TenantTransaction,
  filter: OccurrenceFilter,
  start: HistoryStart | undefined,
): Promise<{ first: number; last: number }> {
  const { from = start?.at, to } = filter;
  const after = from ? sql`and raised_at >= ${from}` : sql``;
  const before = to ? sql`and raised_at < ${to}` : sql``;
  const own = sql`select id from occurrences where tenant_id = ${transaction.tenantId} ${after} ${before}`;
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select (${own} order by raised_at, id limit 1) as first, (${own} order by raised_at desc, id desc limit 1) as last
  `.execute(transaction.withoutPlugins());
  const { first, last } = rows[0] ?? {};
  return { first: first ?? 1, last: last ?? 0 };
}

/** The raw rows in scope, for a `where` over `occurrences o`. */
export function inScope({ tenantId }: TenantTransaction, scope: OccurrenceScope): RawBuilder<unknown> {
  return sql`o.tenant_id = ${tenantId} and o.id between ${scope.first} and ${scope.last} and ${matches(scope)}`;
}

/** The raw rows in scope that were raised within the interval. */
export function raisedIn(
  { tenantId }: TenantTransaction,
  scope: SumScope,
  [from, to]: Interval,
): RawBuilder<unknown> {
  return sql`o.tenant_id = ${tenantId} and o.raised_at >= ${from} and o.raised_at < ${to} and ${matches(scope)}`;
}

/** The texts and the user in scope, without the period, for a `where` over `occurrences o`. */
export function matches({ texts, userId }: SumScope): RawBuilder<unknown> {
  const ofTexts = texts ? isMatchingText('o.text_id', texts) : sql`true`;
  return userId === undefined ? ofTexts : sql`${ofTexts} and o.ack_user_id = ${userId}`;
}
