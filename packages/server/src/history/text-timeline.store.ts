import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { readFirstOpenMonth } from './closed-month.store.ts';
import { isMatchingText, type MatchingTexts } from './occurrence-filter.store.ts';
import { type RunningDays, type Timeline, timelineOf } from './timeline.ts';

/**
 * The timeline of the occurrences of some texts, from sums. Running sums are kept per tag and closed month, so a month is one
 * read, however many there are before it. Tags of which only some texts match, and open months, are added up text by text.
 */
export async function openTextTimeline(
  transaction: TenantTransaction,
  texts: MatchingTexts,
): Promise<Timeline> {
  const firstOpen = await readFirstOpenMonth(transaction);
  const { whole, partial } = await splitTags(transaction, texts);
  const closed = await listSummedMonths(transaction);
  const single = await sumByMonth(transaction, texts, { firstOpen, partial });
  const months = [...new Set([...closed, ...single.keys()])].toSorted((one, other) => one - other);
  const runningBefore = onceEach((month) => readSumsBefore(transaction, month, whole));
  const runningDays = onceEach((month) => readRunningDays(transaction, month, whole));
  const [firstClosed, lastClosed] = [closed[0], closed.at(-1)];
  // Running sums also count the months before the start of the histories.
  const dropped = firstClosed === undefined ? 0 : await runningBefore(firstClosed);
  const beforeInWhole = async (month: number) => {
    const known = closed.find((one) => one >= month);
    if (known !== undefined) return (await runningBefore(known)) - dropped;
    if (lastClosed === undefined) return 0;
    return (await runningBefore(lastClosed)) + ((await runningDays(lastClosed)).at(-1) ?? 0) - dropped;
  };
  return timelineOf({
    months,
    total: texts.occurrences,
    before: async (month) => {
      const earlier = [...single].filter(([one]) => one < month);
      return (await beforeInWhole(month)) + earlier.reduce((sum, [, count]) => sum + count, 0);
    },
    days: onceEach(async (month) => {
      const ofTexts = single.has(month)
        ? await readDaysOfTexts(transaction, texts, { month, tags: month < firstOpen ? partial : undefined })
        : undefined;
      const ofTags = closed.includes(month) ? await runningDays(month) : undefined;
      return addDays(ofTags, ofTexts);
    }),
  });
}

function onceEach<Value>(read: (month: number) => Promise<Value>): (month: number) => Promise<Value> {
  const known = new Map<number, Promise<Value>>();
  return (month) => {
    const value = known.get(month) ?? read(month);
    known.set(month, value);
    return value;
  };
}

function addDays(one: RunningDays | undefined, other: RunningDays | undefined): RunningDays {
  if (!one || !other) return one ?? other ?? [];
  return one.map((count, index) => count + (other[index] ?? 0));
}

type Tags = { whole: number[]; partial: number[] };

/** The tags of the texts: those with all their occurrences among these texts, and the others. */
async function splitTags(transaction: TenantTransaction, texts: MatchingTexts): Promise<Tags> {
  const { tenantId } = transaction;
  const { rows } = await sql<Tags>`
    select coalesce(json_agg(tag_id) filter (where is_whole), '[]') as whole,
      coalesce(json_agg(tag_id) filter (where not is_whole), '[]') as partial
    from (
      select x.tag_id, bool_and(${isMatchingText('x.id', texts)}) as is_whole
      from texts x where x.tenant_id = ${tenantId} and x.tag_id in (
        select m.tag_id from texts m where m.tenant_id = ${tenantId} and ${isMatchingText('m.id', texts)})
      group by x.tag_id
    ) t`.execute(transaction.withoutPlugins());
  return rows[0] ?? { whole: [], partial: [] };
}

/** The first month of the histories. */
const firstMonth = ({ tenantId }: TenantTransaction) =>
  sql`coalesce((select month_of(starts_at) from history_starts where tenant_id = ${tenantId}), 0)`;

/** The months with running sums, in order: a few looks into the index, because each month has a row for each tag. */
async function listSummedMonths(transaction: TenantTransaction): Promise<number[]> {
  const { tenantId } = transaction;
  const next = (after: RawBuilder<unknown>) =>
    sql`select r.month from tag_running_sums r where r.tenant_id = ${tenantId} and ${after} order by r.month limit 1`;
  const { rows } = await sql<{ month: number }>`
    with recursive months(month) as (
      (${next(sql`r.month >= ${firstMonth(transaction)}`)})
      union all select (${next(sql`r.month > m.month`)}) from months m where m.month is not null
    ) select month from months where month is not null order by month`.execute(transaction.withoutPlugins());
  return rows.map(({ month }) => month);
}

/** By month: occurrences of the texts in open months, and in closed ones those of these tags. */
async function sumByMonth(
  transaction: TenantTransaction,
  texts: MatchingTexts,
  { firstOpen, partial }: { firstOpen: number; partial: readonly number[] },
): Promise<Map<number, number>> {
  const { tenantId } = transaction;
  const sums = (where: RawBuilder<unknown>) => sql`
    select m.month, sum(m.occurrences)::bigint as n from text_months m
    where m.tenant_id = ${tenantId} and m.month >= ${firstMonth(transaction)} and ${where}
      and ${isMatchingText('m.text_id', texts)} group by m.month`;
  const parts = [sums(sql`m.month >= ${firstOpen}`)];
  if (partial.length > 0)
    parts.push(sums(sql`m.month < ${firstOpen} and m.tag_id = any (${[...partial]}::bigint[])`));
  const { rows } = await sql<{ month: number; n: number }>`${sql.join(parts, sql` union all `)}`.execute(
    transaction.withoutPlugins(),
  );
  return new Map(rows.map(({ month, n }) => [month, n]));
}

/** The rows `r` of running sums of these tags in a month. */
const runningSums = ({ tenantId }: TenantTransaction, month: number, tags: readonly number[]) =>
  sql`unnest(${[...tags]}::bigint[]) as tag(id) join tag_running_sums r on r.tag_id = tag.id
    where r.tenant_id = ${tenantId} and r.month = ${month}`;

async function readSumsBefore(
  transaction: TenantTransaction,
  month: number,
  tags: readonly number[],
): Promise<number> {
  const { rows } = await sql<{ before: number }>`
    select coalesce(sum(r.before), 0)::bigint as before from ${runningSums(transaction, month, tags)}`.execute(
    transaction.withoutPlugins(),
  );
  return rows[0]?.before ?? 0;
}

const everyDay = Array.from({ length: 31 }, (_, index) => index + 1);

async function readRunningDays(
  transaction: TenantTransaction,
  month: number,
  tags: readonly number[],
): Promise<RunningDays> {
  const days = everyDay.map((day) => sql`coalesce(sum(r.days[${sql.lit(day)}]), 0)::bigint`);
  const { rows } = await sql<{ days: number[] }>`
    select json_build_array(${sql.join(days)}) as days from ${runningSums(transaction, month, tags)}`.execute(
    transaction.withoutPlugins(),
  );
  return rows[0]?.days ?? [];
}

/** Of these tags only, if they are given. */
async function readDaysOfTexts(
  transaction: TenantTransaction,
  texts: MatchingTexts,
  { month, tags }: { month: number; tags: readonly number[] | undefined },
): Promise<RunningDays> {
  const days = everyDay.map((day) => sql`coalesce(sum(m.occurrences_by_day[${sql.lit(day)}]), 0)::bigint`);
  const ofTags = tags ? sql`m.tag_id = any (${[...tags]}::bigint[])` : sql`true`;
  const { rows } = await sql<{ days: number[] }>`
    select json_build_array(${sql.join(days)}) as days from text_months m
    where m.tenant_id = ${transaction.tenantId} and m.month = ${month} and ${ofTags}
      and ${isMatchingText('m.text_id', texts)}`.execute(transaction.withoutPlugins());
  let sum = 0;
  return (rows[0]?.days ?? []).map((count) => (sum += count));
}
