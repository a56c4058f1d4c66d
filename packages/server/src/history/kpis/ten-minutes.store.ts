import { sql } from 'kysely';
import { awaitPipelined } from '../../postgres/pipeline.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { dayOf, type Interval } from '../calendar.ts';
import { inScope, type OccurrenceScope, raisedIn, type SumScope } from '../occurrence-scope.store.ts';
import type { KpiPeriod } from './kpi-period.ts';
import type { KpiScope } from './kpi-scope.store.ts';
import { type TenMinutes, tenMinutesMs } from './ten-minutes.ts';

const dayMs = 86_400_000;

/** The alarms in each ten minutes of the period: whole ones from sums, those at the ends from raw rows. */
export async function readTenMinutes(
  transaction: TenantTransaction,
  { scope, source, firstOpenMonth, period: { from, until } }: KpiScope,
): Promise<TenMinutes> {
  const first = Math.floor(from.getTime() / tenMinutesMs);
  const end = Math.ceil(until.getTime() / tenMinutesMs);
  const counts = new Int32Array(Math.max(0, end - first));
  const add = (part: number, alarms: number) => {
    if (part >= first && part < end) counts[part - first] = (counts[part - first] ?? 0) + alarms;
  };
  if (source.kind === 'rows') {
    for (const { part, alarms } of await countRows(transaction, source.rows)) add(part, alarms);
    return { first, counts };
  }
  const [firstWhole, endWhole] = [
    Math.ceil(from.getTime() / tenMinutesMs),
    Math.floor(until.getTime() / tenMinutesMs),
  ];
  const partial = partialParts({ from, until }, firstWhole, endWhole);
  const addWhole = (part: number, alarms: number) => {
    if (part >= firstWhole && part < endWhole) add(part, alarms);
  };
  const stationIds = source.stationIds ?? [0];
  const [, , ...partialCounts] = await awaitPipelined([
    readClosedMonths(transaction, stationIds, { from, until, firstOpenMonth }, addWhole),
    readOpenDays(transaction, stationIds, { from, until, firstOpenMonth }, addWhole),
    ...partial.map((interval) => countWithin(transaction, scope, interval)),
  ]);
  for (const [index, [start]] of partial.entries())
    add(Math.floor(start.getTime() / tenMinutesMs), partialCounts[index] ?? 0);
  return { first, counts };
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

type Asked = Ends & Pick<KpiScope, 'firstOpenMonth'>;
type Take = (part: number, alarms: number) => void;

/** The bytes of each ten minutes in `station_months`. The number is in the last four. */
const bytesOfPart = 8;

/** Calls back with each ten minutes of the closed months that overlap the period. */
async function readClosedMonths(
  transaction: TenantTransaction,
  stationIds: readonly number[],
  { from, until, firstOpenMonth }: Asked,
  take: Take,
): Promise<void> {
  const [first, last] = [dayOf(from).month, Math.min(dayOf(until).month, firstOpenMonth - 1)];
  if (first > last) return;
  const { rows } = await sql<{ month: number; alarms: string }>`
    select month, encode(alarms, 'base64') as alarms from station_months
    where tenant_id = ${transaction.tenantId} and station_id = any (${[...stationIds]}::bigint[])
      and month between ${first} and ${last}`.execute(transaction.withoutPlugins());
  for (const { month, alarms } of rows) {
    const start = Date.UTC(Math.floor(month / 12), month % 12) / tenMinutesMs;
    const bytes = Buffer.from(alarms, 'base64');
    for (let place = 0; place < bytes.length; place += bytesOfPart)
      take(start + place / bytesOfPart, bytes.readInt32BE(place + 4));
  }
}

/** Calls back with each ten minutes of the other days. */
async function readOpenDays(
  transaction: TenantTransaction,
  stationIds: readonly number[],
  { from, until, firstOpenMonth }: Asked,
  take: Take,
): Promise<void> {
  const firstOpenDay = Date.UTC(Math.floor(firstOpenMonth / 12), firstOpenMonth % 12) / dayMs;
  const firstDay = Math.max(Math.floor(from.getTime() / dayMs), firstOpenDay);
  const lastDay = Math.floor(until.getTime() / dayMs);
  if (firstDay > lastDay) return;
  // Days count from 1970.
  const { rows } = await sql<{ day: number; alarms: string }>`
    select day - date '1970-01-01' as day, array_to_string(alarms, ',') as alarms from station_days
    where tenant_id = ${transaction.tenantId} and station_id = any (${[...stationIds]}::bigint[])
      and day between date '1970-01-01' + ${firstDay}::integer and date '1970-01-01' + ${lastDay}::integer
  `.execute(transaction.withoutPlugins());
  for (const { day, alarms } of rows)
    for (const [index, count] of alarms.split(',').entries()) take(day * 144 + index, Number(count));
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
  scope: SumScope,
  interval: Interval,
): Promise<number> {
  const { rows } = await sql<{ alarms: number }>`
    select count(*) as alarms from occurrences o where ${raisedIn(transaction, scope, interval)}
  `.execute(transaction.withoutPlugins());
  return rows[0]?.alarms ?? 0;
}
