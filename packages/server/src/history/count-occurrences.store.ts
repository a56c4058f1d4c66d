import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { Interval, WholeDays } from './calendar.ts';
import { dayAfter } from './calendar.ts';
import { acknowledgedInScope, type OccurrenceScope, raisedIn } from './occurrence-scope.store.ts';
import { monthSums } from './text-sums.store.ts';
import type { OpenTimeline } from './timeline.ts';
import { userSums } from './user-sums.store.ts';

export async function countOccurrences(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  openTimeline: OpenTimeline,
): Promise<number> {
  const { texts, userId, first, last, hasPeriod } = scope;
  if (last < first) return 0;
  if (!texts && userId === undefined) return last - first + 1;
  if (texts && userId === undefined && (texts.ofSpan || !hasPeriod)) return texts.occurrences;
  if (!texts && !hasPeriod) return (await openTimeline()).total();
  if (!texts) return add(transaction, userSums(transaction, scope));
  if (userId !== undefined)
    return add(transaction, sql`select count(*) as n ${acknowledgedInScope(transaction, scope)}`);
  return countOfTexts(transaction, scope, openTimeline);
}

/** The occurrences of some texts in a period: sums of whole days, and raw rows of the edges. */
async function countOfTexts(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  openTimeline: OpenTimeline,
): Promise<number> {
  const { days, edges } = scope.calendar.nearest;
  const ofEdges = edges.map(
    ({ interval, sign }) => sql`select ${sign}::integer * count(*) as n from occurrences o
      where ${raisedIn(transaction, scope, interval)}`,
  );
  if (days && isLong(days)) {
    const timeline = await openTimeline();
    const ofDays = (await timeline.before(dayAfter(days.last))) - (await timeline.before(days.first));
    return ofDays + (ofEdges.length === 0 ? 0 : await add(transaction, sql.join(ofEdges, sql` union all `)));
  }
  const sums = days && monthSums(days, scope);
  const ofDays = sums
    ? [
        sql`select sum(${sums.occurrences}) as n from text_months m
          where m.tenant_id = ${transaction.tenantId} and ${sums.where}`,
      ]
    : [];
  return add(transaction, sql.join([...ofEdges, ...ofDays], sql` union all `));
}

/** Reading the sums of the texts month by month is quicker for fewer months. */
const monthsOfLongPeriod = 4;

const isLong = ({ first, last }: WholeDays) => last.month - first.month >= monthsOfLongPeriod;

/** Adds up the column `n`. */
async function add(transaction: TenantTransaction, counts: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number | string | null }>`
    select sum(n) as total from (${counts}) c`.execute(transaction.withoutPlugins());
  return Number(rows[0]?.total ?? 0);
}

/** Counts the raw rows in scope that were raised within the interval. */
export function countRaisedIn(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  interval: Interval,
): Promise<number> {
  return add(
    transaction,
    sql`select count(*) as n from occurrences o where ${raisedIn(transaction, scope, interval)}`,
  );
}
