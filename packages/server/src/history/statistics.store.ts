import type { DurationSum } from '@tocsin/domain';
import { type RawBuilder, sql } from 'kysely';
import type { PageRequest } from '../http/page.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { failedTags } from './failed-tags.store.ts';
import { inScope, type OccurrenceScope, raisedIn, rowsInScope } from './occurrence-scope.store.ts';
import { isWithin } from './span.store.ts';
import { monthSums } from './text-sums.store.ts';

export type StatisticRow = DurationSum & {
  tagId: number;
  tagName: string | null;
  message: string | null;
  shortMessage: string | null;
  priority: number | null;
};

type Page = { tagIds: number[]; total: number };

/** One row per tag with occurrences in scope. Finds the tags of the page first, and then only their sums. */
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
  const { rows } = await sql<Page>`
    with tags as materialized (${failedTags(transaction, scope)})
    select array(select tag_id from tags order by tag_id ${page.descending ? sql`desc` : sql`asc`}
      offset ${page.offset} limit ${page.limit}) as "tagIds", (select count(*) from tags) as total
  `.execute(transaction.withoutPlugins());
  return rows[0] ?? { tagIds: [], total: 0 };
}

/** The number of occurrences, and the seconds of those that have ended. */
function closedParts(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  tagIds: readonly number[],
): RawBuilder<unknown>[] {
  const { days, edges } = scope.calendar.nearest;
  const ofTags = sql`any (${[...tagIds]}::bigint[])`;
  const raw = (rows: RawBuilder<unknown>, sign = 1) => sql`
    select o.tag_id, ${sign}::integer * count(*) as n,
      ${sign}::integer * sum(whole_seconds_between(o.raised_at, o.reset_at)) as s
    from ${rows} and o.tag_id = ${ofTags} group by o.tag_id`;
  // The sums of texts are not kept per user.
  if (scope.userId !== undefined) return [raw(sql`${rowsInScope(transaction, scope)} where true`)];
  const atEdges = edges.map(({ interval, sign }) =>
    raw(sql`occurrences o where ${raisedIn(transaction, scope, interval)}`, sign),
  );
  if (!days) return atEdges;
  const sums = monthSums(days, scope);
  return [
    ...atEdges,
    sql`select m.tag_id, sum(${sums.occurrences}) as n, sum(${sums.seconds}) as s from text_months m
      where m.tenant_id = ${transaction.tenantId} and ${sums.where} and m.tag_id = ${ofTags} group by m.tag_id`,
  ];
}

/**
 * The seconds of active occurrences. Only the latest occurrence of a tag can be active, so it is looked up by its key: for
 * a join the planner may scan all occurrences in scope.
 */
function openPart(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  tagIds: readonly number[],
): RawBuilder<unknown> {
  const { tenantId } = transaction;
  return sql`select o.tag_id, 0 as n, whole_seconds_between(o.raised_at, ${scope.until}) as s
    from alarms a cross join lateral (select * from occurrences o
      where o.tenant_id = ${tenantId} and o.id = a.occurrence_id and o.raised_at = a.raised_at
        and ${isWithin('o.raised_at', scope.months)} limit 1) o
    where a.tenant_id = ${tenantId} and a.tag_id = any (${[...tagIds]}::bigint[]) and a.state & 1 = 1
      and ${inScope(transaction, scope)}`;
}
