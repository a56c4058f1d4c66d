import { type RawBuilder, sql } from 'kysely';
import { ProblemError } from '../common/problem.ts';
import { awaitPipelined } from '../postgres/pipeline.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { type Calendar, type Interval, splitPeriod } from './calendar.ts';
import { readHistoryStart, withinHistory } from './history-start.store.ts';
import {
  countTexts,
  findMatchingTexts,
  findTextsOfSpan,
  hasTextFilter,
  isMatchingText,
  type MatchingTexts,
  type OccurrenceFilter,
  type TextLimits,
  textLimits,
} from './occurrence-filter.store.ts';
import { findSpan, isWithin, type Span } from './span.store.ts';

/**
 * The occurrences that match a query, resolved once: a range of identifiers (they rise with time and have no gaps), texts,
 * and the user who acknowledged.
 */
export type OccurrenceScope = Span & {
  readonly texts: MatchingTexts | undefined;
  readonly userId: number | undefined;
  readonly calendar: Calendar;
  /** The time up to which the duration of an active occurrence is counted. */
  readonly until: Date;
  /** Whether the query has a period. */
  readonly hasPeriod: boolean;
  /** The start of the period. */
  readonly from: Date | undefined;
};

export async function resolveScope(
  transaction: TenantTransaction,
  asked: OccurrenceFilter,
  limits = textLimits,
): Promise<OccurrenceScope> {
  const start = await readHistoryStart(transaction);
  const filter = withinHistory(asked, start);
  const [textCount, span] = await awaitPipelined([
    countTexts(transaction),
    findSpan(transaction, filter, start),
  ]);
  const texts = await findTexts(transaction, { filter, span, limits, textCount });
  return { ...describeScope(transaction, filter, texts), ...span };
}

type TextQuestion = { filter: OccurrenceFilter; span: Span; limits: TextLimits };

/** Looking at the texts of a short span is quicker than looking at all texts of the tenant. */
const textsPerOccurrence = 4;

async function findTexts(
  transaction: TenantTransaction,
  { textCount, ...question }: TextQuestion & { textCount: number },
): Promise<MatchingTexts | undefined> {
  const { filter, span, limits } = question;
  if (!hasTextFilter(filter)) return undefined;
  const occurrences = span.last - span.first + 1;
  if (occurrences <= limits.occurrences && occurrences * textsPerOccurrence < textCount)
    return findTextsOfSpan(transaction, filter, span);
  const found = await findMatchingTexts(transaction, filter, limits);
  return found === 'too many' ? textsWithin(transaction, question) : found;
}

/** The texts of a short span, which are few even where messages embed values, so that almost each occurrence has its own. */
export async function textsWithin(
  transaction: TenantTransaction,
  { filter, span, limits }: TextQuestion,
): Promise<MatchingTexts> {
  const { first, last } = span;
  if (last - first >= limits.occurrences)
    throw new ProblemError(
      'too-many-messages',
      `The filter applies to ${last - first + 1} alarms, and their messages are too many to look up: ` +
        `give from and to, so that the period has at most ${limits.occurrences} alarms. ` +
        'Messages stay few if measured values are sent in "value" instead of the message.',
    );
  return findTextsOfSpan(transaction, filter, span);
}

/** A scope without its range of identifiers, for sums, which do not need it. */
export type SumScope = Omit<OccurrenceScope, keyof Span>;

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
    from,
  };
}

/** The raw rows in scope, for a `where` over `occurrences o`. */
export function inScope({ tenantId }: TenantTransaction, scope: OccurrenceScope): RawBuilder<unknown> {
  const { first, last, months } = scope;
  return sql`o.tenant_id = ${tenantId} and o.id between ${first} and ${last}
    and ${isWithin('o.raised_at', months)} and ${matches(scope)}`;
}

/** The raw rows in scope, for the `from` of a statement that needs no other condition: `o` has the columns of `occurrences`. */
export function rowsInScope(transaction: TenantTransaction, scope: OccurrenceScope): RawBuilder<unknown> {
  if (scope.userId === undefined)
    return sql`(select o.* from occurrences o where ${inScope(transaction, scope)}) o`;
  return sql`(select o.* ${acknowledgedInScope(transaction, scope)}) o`;
}

/** The raw rows that the user in scope acknowledged, `from` and `where` of a statement: `k` has their identifiers in order. */
export function acknowledgedInScope(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
): RawBuilder<unknown> {
  const { tenantId } = transaction;
  const { userId, first, last, months } = scope;
  return sql`from acknowledgments k
    cross join lateral (select * from occurrences o where o.tenant_id = ${tenantId} and o.id = k.occurrence_id
      and o.raised_at = k.raised_at and ${isWithin('o.raised_at', months)} limit 1) o
    where k.tenant_id = ${tenantId} and k.user_id = ${userId} and k.occurrence_id between ${first} and ${last}
      and ${isWithin('k.raised_at', months)} and ${matches(scope)}`;
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
