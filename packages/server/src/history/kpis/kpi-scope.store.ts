import { type RawBuilder, sql } from 'kysely';
import { awaitPipelined } from '../../postgres/pipeline.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { readFirstOpenMonth } from '../closed-month.store.ts';
import { readHistoryStart, withinHistory } from '../history-start.store.ts';
import { findMatchingTexts, type OccurrenceFilter, textLimits } from '../occurrence-filter.store.ts';
import {
  describeScope,
  type OccurrenceScope,
  type SumScope,
  textsWithin,
} from '../occurrence-scope.store.ts';
import { findSpan } from '../span.store.ts';
import type { KpiPeriod } from './kpi-period.ts';

/** What key figures are asked for. */
export type KpiScope = {
  readonly filter: OccurrenceFilter;
  readonly period: KpiPeriod;
  readonly scope: SumScope;
  readonly source: KpiSource;
  /** Sums of whole months are kept for all months before this one. */
  readonly firstOpenMonth: number;
};

/** Where key figures are read: from the sums of all stations or of some, or from raw rows. */
type KpiSource =
  | { readonly kind: 'sums'; readonly stationIds: readonly number[] | undefined }
  | { readonly kind: 'rows'; readonly rows: OccurrenceScope };

export async function resolveKpiScope(
  transaction: TenantTransaction,
  given: OccurrenceFilter,
  period: KpiPeriod,
): Promise<KpiScope> {
  const start = await readHistoryStart(transaction);
  const filter = withinHistory({ ...given, from: period.from, to: period.to }, start);
  const [found, firstOpenMonth] = await awaitPipelined([
    findMatchingTexts(transaction, filter, textLimits),
    readFirstOpenMonth(transaction),
  ]);
  const texts =
    found === 'too many'
      ? await textsWithin(transaction, {
          filter,
          span: await findSpan(transaction, filter, start),
          limits: textLimits,
        })
      : found;
  const scope = describeScope(transaction, filter, texts);
  const stations = stationsOfSums(filter, scope);
  // Finding the range of identifiers of a year takes as long as reading its sums.
  const source: KpiSource = stations
    ? { kind: 'sums', ...stations }
    : { kind: 'rows', rows: { ...scope, ...(await findSpan(transaction, filter, start)) } };
  return { filter, period, scope, source, firstOpenMonth };
}

/** The sums are kept per station. Any other filter needs raw rows, unless it excludes nothing. */
function stationsOfSums(
  filter: OccurrenceFilter,
  { texts, userId }: SumScope,
): { stationIds: readonly number[] | undefined } | undefined {
  if (userId !== undefined) return undefined;
  if (!texts) return { stationIds: undefined };
  const { visibleStationIds, stationId, dataServerId, tagGroupId, callGroupId, search } = filter;
  const others = [dataServerId, tagGroupId, callGroupId, search || undefined];
  if (others.some((value) => value !== undefined)) return undefined;
  if (stationId === undefined) return { stationIds: visibleStationIds ?? [] };
  const isVisible = visibleStationIds === undefined || visibleStationIds.includes(stationId);
  return { stationIds: isVisible ? [stationId] : [] };
}

/** The rows of sums `k` that belong to the stations. */
export function atStations(stationIds: readonly number[] | undefined): RawBuilder<unknown> {
  return stationIds === undefined ? sql`true` : sql`k.station_id = any (${[...stationIds]}::bigint[])`;
}
