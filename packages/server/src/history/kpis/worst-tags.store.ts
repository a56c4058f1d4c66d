import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { dayText, type Edge, type Months, splitAtOpenMonth } from '../calendar.ts';
import { inScope, matches, type OccurrenceScope, raisedIn } from '../occurrence-scope.store.ts';
import { monthSums, sumOfPlaces } from '../text-sums.store.ts';
import { atStations, type KpiScope } from './kpi-scope.store.ts';

/** A tag as it is today, with a number of its occurrences. */
export type TagCount = { tagId: number; tagName: string; message: string; priority: number; alarms: number };

export type TagCounts = { total: number; items: TagCount[] };

/** The tags with the most occurrences in scope. */
export function readWorstTags(
  transaction: TenantTransaction,
  asked: KpiScope,
  limit: number,
): Promise<TagCounts> {
  return mostFrequent(transaction, occurrenceParts(transaction, asked), limit);
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

function occurrenceParts(
  transaction: TenantTransaction,
  { scope, firstOpenMonth }: KpiScope,
): RawBuilder<unknown>[] {
  const raw = (where: RawBuilder<unknown>, sign = 1) =>
    sql`select o.tag_id, ${sign}::integer * count(*)::integer as n from occurrences o where ${where} group by o.tag_id`;
  // The sums of texts are not kept per user.
  if (scope.userId !== undefined) return [raw(inScope(transaction, scope))];
  const { days, edges } = scope.calendar.nearest;
  const atEdges = edges.map(({ interval, sign }) => raw(raisedIn(transaction, scope, interval), sign));
  if (!days) return atEdges;
  // The sums of closed months are not kept per text.
  const { closed, open } = splitAtOpenMonth(days, scope.texts ? 0 : firstOpenMonth);
  const inMonths = open.map((part) => {
    const sums = monthSums(part, scope);
    return sql`select m.tag_id, ${sums.occurrences} as n from text_months m
      where m.tenant_id = ${transaction.tenantId} and ${sums.where}`;
  });
  return [...atEdges, ...inMonths, ...(closed ? closedParts(transaction, closed) : [])];
}

/** One part for each year. */
function closedParts({ tenantId }: TenantTransaction, { first, last }: Months): RawBuilder<unknown>[] {
  const [firstYear, lastYear] = [Math.floor(first / 12), Math.floor(last / 12)];
  const years = Array.from({ length: lastYear - firstYear + 1 }, (_, step) => firstYear + step);
  return years.map((year) => {
    const [from, to] = [Math.max(first - year * 12, 0) + 1, Math.min(last - year * 12, 11) + 1];
    return sql`select y.tag_id, ${sumOfPlaces(sql.ref('y.alarms'), from, to)} as n from tag_year_alarms y
      where y.tenant_id = ${tenantId} and y.year = ${year}`;
  });
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
  scope: OccurrenceScope,
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
