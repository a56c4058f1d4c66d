import type { DurationSum } from '@tocsin/domain';
import { type RawBuilder, sql } from 'kysely';
import type { PageRequest } from '../http/page.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { partialMonths, type WholeDays } from './calendar.ts';
import { atEdges, inScope, type OccurrenceScope } from './occurrence-scope.store.ts';
import { monthSums } from './text-sums.store.ts';

export type StatisticRow = DurationSum & {
  tagId: number;
  tagName: string | null;
  message: string | null;
  shortMessage: string | null;
  priority: number | null;
};

type Page = { tagIds: number[]; total: number };

/** One row per tag that has occurrences in scope; the tags of the page first, then only their sums. */
export async function readStatistics(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  page: PageRequest,
): Promise<{ rows: StatisticRow[]; total: number }> {
  const { tagIds, total } = await pageOfTags(transaction, scope, page);
  if (tagIds.length === 0) return { rows: [], total };
  const parts = [...closedParts(transaction, scope, tagIds), openPart(transaction, scope, tagIds)];
  const { rows } = await sql<StatisticRow>`
    with parts as (${sql.join(parts, sql` union all `)}),
      sums as (select tag_id, sum(n)::bigint as n, sum(s)::bigint as s from parts group by tag_id)
    select sums.tag_id as "tagId", sums.n as count, sums.s as "totalSeconds", t.name as "tagName", t.priority,
      t.alarm_message as message, t.alarm_short_message as "shortMessage"
    from sums left join lateral (select * from tags t
      where t.tenant_id = ${transaction.tenantId} and t.id = sums.tag_id limit 1) t on true
    order by sums.tag_id ${page.descending ? sql`desc` : sql`asc`}`.execute(transaction.withoutPlugins());
  return { rows, total };
}

async function pageOfTags(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  page: PageRequest,
): Promise<Page> {
  const tags = sql.join(tagSources(transaction, scope), sql` union `);
  const { rows } = await sql<Page>`
    with tags as materialized (${tags})
    select array(select tag_id from tags order by tag_id ${page.descending ? sql`desc` : sql`asc`}
      offset ${page.offset} limit ${page.limit}) as "tagIds", (select count(*) from tags) as total
  `.execute(transaction.withoutPlugins());
  return rows[0] ?? { tagIds: [], total: 0 };
}

/** The sums know who acknowledged only by user: with a user asked for, raw rows tell. */
function isRaw({ userId }: OccurrenceScope): boolean {
  return userId !== undefined;
}

function tagSources(transaction: TenantTransaction, scope: OccurrenceScope): RawBuilder<unknown>[] {
  const { calendar, texts } = scope;
  if (isRaw(scope))
    return [sql`select distinct o.tag_id from occurrences o where ${inScope(transaction, scope)}`];
  const sources = [sql`select distinct o.tag_id from occurrences o where ${atEdges(transaction, scope)}`];
  if (!calendar.days) return sources;
  return texts
    ? [...sources, tagsOfTexts(transaction, scope, calendar.days)]
    : [...sources, ...tagsOfDays(transaction, calendar.days)];
}

function tagsOfTexts(
  { tenantId }: TenantTransaction,
  scope: OccurrenceScope,
  days: WholeDays,
): RawBuilder<unknown> {
  const sums = monthSums(days, scope);
  return sql`select m.tag_id from text_months m where m.tenant_id = ${tenantId} and ${sums.where} and ${sums.occurrences} > 0`;
}

/** Whole months from a few bits per tag and year; months that are cut from the sums of their days. */
function tagsOfDays({ tenantId }: TenantTransaction, days: WholeDays): RawBuilder<unknown>[] {
  const cut = partialMonths(days);
  const firstWhole = cut.some(({ month }) => month === days.first.month)
    ? days.first.month + 1
    : days.first.month;
  const lastWhole = cut.some(({ month }) => month === days.last.month)
    ? days.last.month - 1
    : days.last.month;
  const partial = cut.map(
    ({ month, from, to }) => sql`select m.tag_id from text_months m where m.tenant_id = ${tenantId}
      and m.month = ${month} and 0 < any (m.occurrences_on[${from}::integer:${to}::integer])`,
  );
  if (firstWhole > lastWhole) return partial;
  const [firstYear, lastYear] = [Math.floor(firstWhole / 12), Math.floor(lastWhole / 12)];
  // Bits of the months from the first on, and up to the last.
  const rising = (0xfff << (firstWhole % 12)) & 0xfff;
  const falling = 0xfff >> (11 - (lastWhole % 12));
  const whole = sql`select y.tag_id from tag_years y
    where y.tenant_id = ${tenantId} and y.year between ${firstYear} and ${lastYear} and y.months
      & case when y.year = ${firstYear} then ${rising}::integer else 4095 end
      & case when y.year = ${lastYear} then ${falling}::integer else 4095 end <> 0`;
  return [...partial, whole];
}

/** Number of occurrences, and seconds of those that are over. */
function closedParts(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  tagIds: readonly number[],
): RawBuilder<unknown>[] {
  const { calendar } = scope;
  const ofTags = sql`any (${[...tagIds]}::bigint[])`;
  const raw = (where: RawBuilder<unknown>) => sql`
    select o.tag_id, count(*) as n, sum(shown_seconds(o.raised_at, o.reset_at)) as s
    from occurrences o where ${where} and o.tag_id = ${ofTags} group by o.tag_id`;
  if (isRaw(scope)) return [raw(inScope(transaction, scope))];
  const edges = calendar.edges.length === 0 ? [] : [raw(atEdges(transaction, scope))];
  if (!calendar.days) return edges.length === 0 ? [raw(sql`false`)] : edges;
  const sums = monthSums(calendar.days, scope);
  return [
    ...edges,
    sql`select m.tag_id, sum(${sums.occurrences}) as n, sum(${sums.seconds}) as s from text_months m
      where m.tenant_id = ${transaction.tenantId} and ${sums.where} and m.tag_id = ${ofTags} group by m.tag_id`,
  ];
}

/** Seconds of what is still active. Only the latest occurrence of a tag can be. */
function openPart(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  tagIds: readonly number[],
): RawBuilder<unknown> {
  const { tenantId } = transaction;
  return sql`select o.tag_id, 0 as n, shown_seconds(o.raised_at, ${scope.until}) as s
    from alarms a join occurrences o on o.tenant_id = a.tenant_id and o.id = a.occurrence_id and o.raised_at = a.raised_at
    where a.tenant_id = ${tenantId} and a.tag_id = any (${[...tagIds]}::bigint[]) and a.state & 1 = 1
      and ${inScope(transaction, scope)}`;
}
