import { sql } from 'kysely';
import { awaitPipelined } from '../../postgres/pipeline.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { Interval } from '../calendar.ts';
import { inScope, type OccurrenceScope, raisedIn } from '../occurrence-scope.store.ts';
import type { KpiPeriod } from './kpi-period.ts';
import type { KpiScope } from './kpi-scope.store.ts';
import { type TenMinutes, tenMinutesMs } from './ten-minutes.ts';

const dayMs = 86_400_000;

/** The alarms in each ten minutes of the period: whole ones from sums, those at the ends from raw rows. */
export async function readTenMinutes(
  transaction: TenantTransaction,
  { scope, source, period: { from, until } }: KpiScope,
): Promise<TenMinutes> {
  const first = Math.floor(from.getTime() / tenMinutesMs);
  const end = Math.ceil(until.getTime() / tenMinutesMs);
  const counts = Array.from({ length: Math.max(0, end - first) }, () => 0);
  const add = (part: number, alarms: number) => {
    if (part >= first && part < end) counts[part - first] = (counts[part - first] ?? 0) + alarms;
  };
  if (source.kind === 'rows') {
    for (const { part, alarms } of await countRows(transaction, scope)) add(part, alarms);
    return { first, counts };
  }
  const [firstWhole, endWhole] = [
    Math.ceil(from.getTime() / tenMinutesMs),
    Math.floor(until.getTime() / tenMinutesMs),
  ];
  const partial = partialParts({ from, until }, firstWhole, endWhole);
  const [days, ...partialCounts] = await awaitPipelined([
    readDays(transaction, source.stationIds ?? [0], { from, until }),
    ...partial.map((interval) => countWithin(transaction, scope, interval)),
  ]);
  for (const { day, alarms } of days)
    eachNumber(alarms, (count, index) => {
      const part = day * 144 + index;
      if (part >= firstWhole && part < endWhole) add(part, count);
    });
  for (const [index, [start]] of partial.entries())
    add(Math.floor(start.getTime() / tenMinutesMs), partialCounts[index] ?? 0);
  return { first, counts };
}

const [comma, zero] = [44, 48];

/** Calls back with each number of a list such as `0,12,3`. A year has 52,560 of them: splitting the text takes far longer. */
function eachNumber(list: string, take: (number: number, index: number) => void): void {
  let number = 0;
  let index = 0;
  for (let place = 0; place < list.length; place++) {
    const code = list.charCodeAt(place);
    if (code === comma) {
      take(number, index);
      number = 0;
      index++;
    } else number = number * 10 + (code - zero);
  }
  if (list !== '') take(number, index);
}

type Ends = Pick<KpiPeriod, 'from' | 'until'>;

/** The intervals at the ends of the period that are no whole ten minutes. */
function partialParts({ from, until }: Ends, firstWhole: number, endWhole: number): Interval[] {
  if (firstWhole > endWhole) return [[from, until]];
  const [start, stop] = [new Date(firstWhole * tenMinutesMs), new Date(endWhole * tenMinutesMs)];
  const parts: Interval[] = [
    [from, start],
    [stop, until],
  ];
  return parts.filter(([one, other]) => one < other);
}

/** Days count from 1970. */
type DayRow = { day: number; alarms: string };

async function readDays(
  transaction: TenantTransaction,
  stationIds: readonly number[],
  { from, until }: Ends,
): Promise<DayRow[]> {
  const [firstDay, lastDay] = [from, until].map((at) => Math.floor(at.getTime() / dayMs));
  const { rows } = await sql<DayRow>`
    select day - date '1970-01-01' as day, array_to_string(alarms, ',') as alarms from station_days
    where tenant_id = ${transaction.tenantId} and station_id = any (${[...stationIds]}::bigint[])
      and day between date '1970-01-01' + ${firstDay}::integer and date '1970-01-01' + ${lastDay}::integer
  `.execute(transaction.withoutPlugins());
  return rows;
}

async function countRows(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
): Promise<{ part: number; alarms: number }[]> {
  const { rows } = await sql<{ part: number; alarms: number }>`
    select floor(date_part('epoch', o.raised_at) / 600)::bigint as part, count(*) as alarms
    from occurrences o where ${inScope(transaction, scope)} group by 1`.execute(transaction.withoutPlugins());
  return rows;
}

async function countWithin(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  interval: Interval,
): Promise<number> {
  const { rows } = await sql<{ alarms: number }>`
    select count(*) as alarms from occurrences o where ${raisedIn(transaction, scope, interval)}
  `.execute(transaction.withoutPlugins());
  return rows[0]?.alarms ?? 0;
}
