import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { together } from '../postgres/together.ts';
import { type Calendar, type Stretch, takeApart } from './calendar.ts';
import { isPicked, type OccurrenceFilter, type PickedTexts, pickTexts } from './occurrence-filter.store.ts';

/**
 * The occurrences a question is about, found out once: from which identifier to which (they rise with time and have no
 * gaps), of which texts, acknowledged by whom.
 */
export type OccurrenceScope = {
  /** The last is before the first when there are none. */
  readonly first: number;
  readonly last: number;
  readonly texts: PickedTexts | undefined;
  readonly userId: number | undefined;
  readonly calendar: Calendar;
  /** Until when an occurrence still active is counted. */
  readonly until: Date;
  /** Whether a period was asked for at all. */
  readonly bounded: boolean;
};

export async function resolveScope(
  transaction: TenantTransaction,
  filter: OccurrenceFilter,
): Promise<OccurrenceScope> {
  const { from, to, userId } = filter;
  const { now } = transaction;
  const [texts, span] = await together([pickTexts(transaction, filter), findSpan(transaction, filter)]);
  return {
    ...span,
    texts,
    userId,
    calendar: takeApart(filter),
    until: to && to < now ? to : now,
    bounded: from !== undefined || to !== undefined,
  };
}

async function findSpan(
  transaction: TenantTransaction,
  { from, to }: OccurrenceFilter,
): Promise<{ first: number; last: number }> {
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
  return sql`o.tenant_id = ${tenantId} and o.id between ${scope.first} and ${scope.last} and ${picked(scope)}`;
}

/** The raw rows in scope that were raised in a stretch of time. */
export function raisedIn(
  { tenantId }: TenantTransaction,
  scope: OccurrenceScope,
  [from, to]: Stretch,
): RawBuilder<unknown> {
  return sql`o.tenant_id = ${tenantId} and o.raised_at >= ${from} and o.raised_at < ${to} and ${picked(scope)}`;
}

function picked({ texts, userId }: OccurrenceScope): RawBuilder<unknown> {
  const ofTexts = texts ? isPicked('o.text_id', texts) : sql`true`;
  return userId === undefined ? ofTexts : sql`${ofTexts} and o.ack_user_id = ${userId}`;
}
