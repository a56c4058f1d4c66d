import { type RawBuilder, sql } from 'kysely';
import { awaitPipelined } from '../../postgres/pipeline.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import {
  type DayOfMonth,
  dayBefore,
  dayText,
  type Edge,
  splitDaysAtOpenMonth,
  type WholeDays,
} from '../calendar.ts';
import { inScope, matches, raisedIn, type SumScope } from '../occurrence-scope.store.ts';
import { monthSums } from '../text-sums.store.ts';
import { atStations, type KpiScope } from './kpi-scope.store.ts';

/** A tag as it is today, with a number of its occurrences. */
export type TagCount = { tagId: number; tagName: string; message: string; priority: number; alarms: number };

export type TagCounts = { total: number; items: TagCount[] };

/** The tags with the most occurrences in scope. */
export async function readWorstTags(
  transaction: TenantTransaction,
  asked: KpiScope,
  limit: number,
): Promise<TagCounts> {
  return mostFrequent(transaction, await occurrenceParts(transaction, asked), limit);
}

/** The tags with the most occurrences that were at least the third raise within a minute. */
export function readChattering(
  transaction: TenantTransaction,
  scope: KpiScope,
  limit: number,
): Promise<TagCounts> {
  return mostFrequent(transaction, chatterParts(transaction, scope), limit);
}

/** The numbers of the parts are integers, whose sums are far quicker than those of larger numbers. */
async function mostFrequent(
  transaction: TenantTransaction,
  parts: readonly RawBuilder<unknown>[],
  limit: number,
): Promise<TagCounts> {
  const { rows } = await sql<TagCount & { total: number }>`
    with parts as (${sql.join([...parts], sql` union all `)}),
      sums as (select tag_id, sum(n) as n from parts group by tag_id),
      most as (select *, count(*) over () as total from sums where n > 0 order by n desc, tag_id limit ${limit})
    select m.tag_id as "tagId", coalesce(t.name, '') as "tagName", coalesce(t.alarm_message, '') as message,
      coalesce(t.priority, 0) as priority, m.n as alarms, m.total
    from most m left join lateral (select * from tags t
      where t.tenant_id = ${transaction.tenantId} and t.id = m.tag_id limit 1) t on true
    order by m.n desc, m.tag_id`.execute(transaction.withoutPlugins());
  const items = rows.map(({ tagId, tagName, message, priority, alarms }) => ({
    tagId,
    tagName,
    message,
    priority,
    alarms,
  }));
  return { total: rows[0]?.total ?? 0, items };
}

async function occurrenceParts(
  transaction: TenantTransaction,
  { scope, source, firstOpenMonth }: KpiScope,
): Promise<RawBuilder<unknown>[]> {
  const raw = (where: RawBuilder<unknown>, sign = 1) =>
    sql`select o.tag_id, ${sign}::integer * count(*)::integer as n from occurrences o where ${where} group by o.tag_id`;
  // The sums of texts are not kept per user.
  if (scope.userId !== undefined && source.kind === 'rows') return [raw(inScope(transaction, source.rows))];
  const { days, edges } = scope.calendar.nearest;
  const atEdges = edges.map(({ interval, sign }) => raw(raisedIn(transaction, scope, interval), sign));
  if (!days) return atEdges;
  // The sums of closed months are not kept per text.
  const { closed, open } = splitDaysAtOpenMonth(days, scope.texts ? 0 : firstOpenMonth);
  return [
    ...atEdges,
    ...(open ? [openPart(transaction, open, scope)] : []),
    ...(closed ? await closedParts(transaction, closed) : []),
  ];
}

function openPart({ tenantId }: TenantTransaction, days: WholeDays, scope: SumScope): RawBuilder<unknown> {
  const sums = monthSums(days, scope);
  return sql`select m.tag_id, ${sums.occurrences} as n from text_months m
    where m.tenant_id = ${tenantId} and ${sums.where}`;
}

/** Differences of running sums. Days within one month need only its own rows. */
async function closedParts(
  transaction: TenantTransaction,
  { first, last }: WholeDays,
): Promise<RawBuilder<unknown>[]> {
  const { tenantId } = transaction;
  const day = (number: number) => sql`r.days[${sql.lit(number)}]`;
  if (first.month === last.month) {
    const before = first.day > 1 ? sql` - ${day(first.day - 1)}` : sql``;
    return [
      sql`select r.tag_id, ${day(last.day)}${before} as n from tag_running_sums r
        where r.tenant_id = ${tenantId} and r.month = ${last.month}`,
    ];
  }
  const ends = [
    { at: last, sign: sql`` },
    { at: dayBefore(first), sign: sql`-` },
  ];
  // Months are looked up beforehand: with a subquery for the month PostgreSQL reads the sums of all months.
  const months = await awaitPipelined(ends.map(({ at }) => findMonthWithSums(transaction, at)));
  return ends.map(({ at, sign }, index) => {
    const month = months[index] ?? at.month;
    const inMonth = month > at.month ? sql`` : sql` + ${day(month === at.month ? at.day : 31)}`;
    return sql`select r.tag_id, ${sign}(r.before${inMonth}) as n from tag_running_sums r
      where r.tenant_id = ${tenantId} and r.month = ${month}`;
  });
}

/** A month without alarms has no rows: the last one before it counts, or else what came before the first one. */
async function findMonthWithSums(
  transaction: TenantTransaction,
  { month }: DayOfMonth,
): Promise<number | undefined> {
  const own = sql`select r.month from tag_running_sums r where r.tenant_id = ${transaction.tenantId}`;
  const { rows } = await sql<{ month: number | null }>`select coalesce(
    (${own} and r.month <= ${month} order by r.month desc limit 1), (${own} order by r.month limit 1)) as month
  `.execute(transaction.withoutPlugins());
  return rows[0]?.month ?? undefined;
}

function chatterParts(
  transaction: TenantTransaction,
  { scope, source, period: { from, to } }: KpiScope,
): RawBuilder<unknown>[] {
  if (source.kind === 'rows') return [rawChatter(transaction, scope, { interval: [from, to], sign: 1 })];
  const { days, edges } = scope.calendar.nearest;
  const atEdges = edges.map((edge) => rawChatter(transaction, scope, edge));
  if (!days) return atEdges;
  return [
    ...atEdges,
    sql`select k.tag_id, k.alarms as n from chatter_days k
      where k.tenant_id = ${transaction.tenantId} and ${atStations(source.stationIds)}
        and k.day between ${dayText(days.first)}::date and ${dayText(days.last)}::date`,
  ];
}

const minuteMs = 60_000;

/**
 * Reads a minute more before the interval, and all texts, because a tag chatters whatever its messages are. The sums of
 * the days tell which tags to look at.
 */
function rawChatter(
  { tenantId }: TenantTransaction,
  scope: SumScope,
  { interval: [from, to], sign }: Edge,
): RawBuilder<unknown> {
  return sql`select o.tag_id, ${sign}::integer * count(*)::integer as n from (
      select o.tag_id, o.raised_at, o.text_id, o.ack_user_id,
        lag(o.raised_at, 2) over (partition by o.tag_id order by o.id) as third_at
      from occurrences o where o.tenant_id = ${tenantId} and o.tag_id = any (array(
          select k.tag_id from chatter_days k where k.tenant_id = ${tenantId}
            and k.day between utc_day(${from}) and utc_day(${to})))
        and o.raised_at >= ${new Date(from.getTime() - minuteMs)} and o.raised_at < ${to}
    ) o
    where o.raised_at >= ${from} and o.raised_at - o.third_at < interval '1 minute' and ${matches(scope)}
    group by o.tag_id`;
}
