import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import {
  type DayOfMonth,
  type Months,
  overlappingDays,
  partialMonths,
  touchedMonths,
  type WholeDays,
  wholeMonths,
} from './calendar.ts';
import { isMatchingText } from './occurrence-filter.store.ts';
import { type OccurrenceScope, raisedIn, rowsInScope } from './occurrence-scope.store.ts';
import { monthSums } from './text-sums.store.ts';

/** Intermediate lists of tags, by their names in the query. */
type TagList = 'unsure' | 'found' | 'remaining';

/** The tags that have occurrences in scope, as a query with one column `tag_id`, without duplicates. */
export function failedTags(transaction: TenantTransaction, scope: OccurrenceScope): RawBuilder<unknown> {
  const { texts, userId, calendar } = scope;
  // The sums of texts are not kept per user, so a filter by user needs raw rows.
  if (userId !== undefined) return sql`select distinct o.tag_id from ${rowsInScope(transaction, scope)}`;
  if (!texts && calendar.nearest.days) return tagsInStages(transaction, scope);
  const { days } = calendar.inside;
  const partialDays = tagsOfPartialDays(transaction, scope);
  return days ? sql`${tagsOfTexts(transaction, scope, days)} union ${partialDays}` : partialDays;
}

function tagsOfTexts(
  { tenantId }: TenantTransaction,
  scope: OccurrenceScope,
  days: WholeDays,
): RawBuilder<unknown> {
  const sums = monthSums(days, scope);
  return sql`select m.tag_id from text_months m where m.tenant_id = ${tenantId} and ${sums.where} and ${sums.occurrences} > 0`;
}

/**
 * A few bits per tag and year answer for whole months. The tags that remain unsure are looked up in the days of partial
 * months, and only for the remaining ones the raw rows of partial days are read. The more rows such a day has, the fewer
 * tags remain by then.
 */
function tagsInStages(transaction: TenantTransaction, scope: OccurrenceScope): RawBuilder<unknown> {
  const { tenantId } = transaction;
  const { inside, nearest } = scope.calendar;
  const touched = touchedMonths(nearest);
  return sql`
    with touched as materialized (
      select y.tag_id, bool_or(${bitsOf(wholeMonths(inside.days))} <> 0) as is_sure from tag_years y
      where y.tenant_id = ${tenantId} and ${inYears(touched)} and ${bitsOf(touched)} <> 0 group by y.tag_id
    ), unsure as materialized (
      select tag_id from touched where not is_sure
    ), found as materialized (
      select distinct m.tag_id from text_months m where exists (select from unsure)
        and m.tenant_id = ${tenantId} and ${inPartialMonths(inside.days)} and ${isAmong('m.tag_id', 'unsure')}
    ), remaining as materialized (
      select tag_id from unsure where not ${isAmong('tag_id', 'found')}
    )
    select tag_id from touched where is_sure
    union all select tag_id from found
    union all (${tagsOfPartialDays(transaction, scope, 'remaining')})`;
}

/** Whether a column names a tag of the list. Written so that PostgreSQL hashes the list once. */
function isAmong(column: string, list: TagList): RawBuilder<boolean> {
  return sql<boolean>`((${sql.ref(column)} in (select tag_id from ${sql.table(list)})) is true)`;
}

function inYears({ first, last }: Months): RawBuilder<boolean> {
  return sql<boolean>`y.year between ${Math.floor(first / 12)} and ${Math.floor(last / 12)}`;
}

/** The bits of these months in `tag_years y`. */
function bitsOf({ first, last }: Months): RawBuilder<number> {
  if (first > last) return sql`0`;
  const [firstYear, lastYear] = [Math.floor(first / 12), Math.floor(last / 12)];
  // The bits from the first month on, and up to the last month.
  const rising = (0xfff << (first % 12)) & 0xfff;
  const falling = 0xfff >> (11 - (last % 12));
  return sql`case when ${inYears({ first, last })} then y.months
      & case when y.year = ${firstYear} then ${rising}::integer else 4095 end
      & case when y.year = ${lastYear} then ${falling}::integer else 4095 end else 0 end`;
}

/** The rows of `text_months m` with occurrences on the days of partial months. */
function inPartialMonths(days: WholeDays | undefined): RawBuilder<unknown> {
  const partial = (days ? partialMonths(days) : []).map(
    ({ month, from, to }) =>
      sql`m.month = ${month} and 0 < any (m.occurrences_by_day[${from}::integer:${to}::integer])`,
  );
  return partial.length === 0 ? sql`false` : sql`(${sql.join(partial, sql` or `)})`;
}

/** Tags with occurrences in scope on days that are partly in the period; limited to a list if one is named. */
function tagsOfPartialDays(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  list?: TagList,
): RawBuilder<unknown> {
  const { nearest } = scope.calendar;
  const named = (column: string) =>
    list ? sql`exists (select from ${sql.table(list)}) and ${isAmong(column, list)}` : sql`true`;
  const parts = [
    ...overlappingDays(nearest).map(
      (day) => sql`${tagsOfDay(transaction, scope, day)} and ${named('m.tag_id')}`,
    ),
    ...nearest.edges.map(
      ({ interval, sign }) => sql`select o.tag_id, ${sign}::integer as n from occurrences o
        where ${raisedIn(transaction, scope, interval)} and ${named('o.tag_id')}`,
    ),
  ];
  if (parts.length === 0) return sql`select null::bigint as tag_id where false`;
  return sql`select tag_id from (${sql.join(parts, sql` union all `)}) c group by tag_id having sum(n) > 0`;
}

function tagsOfDay(
  { tenantId }: TenantTransaction,
  { texts }: OccurrenceScope,
  { month, day }: DayOfMonth,
): RawBuilder<unknown> {
  const ofTexts = texts ? isMatchingText('m.text_id', texts) : sql`true`;
  return sql`select m.tag_id, m.occurrences_by_day[${day}::integer] as n from text_months m
    where m.tenant_id = ${tenantId} and m.month = ${month} and ${ofTexts}`;
}
