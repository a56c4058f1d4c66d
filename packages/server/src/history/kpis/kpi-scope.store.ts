import { type RawBuilder, sql } from 'kysely';
import { awaitPipelined } from '../../postgres/pipeline.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { OccurrenceFilter } from '../occurrence-filter.store.ts';
import { type OccurrenceScope, resolveScope } from '../occurrence-scope.store.ts';
import type { KpiPeriod } from './kpi-period.ts';

/** What key figures are asked for. */
export type KpiScope = {
  readonly filter: OccurrenceFilter;
  readonly period: KpiPeriod;
  readonly scope: OccurrenceScope;
  readonly source: KpiSource;
  /** Sums of whole months are kept for all months before this one. */
  readonly firstOpenMonth: number;
};

/** Where key figures are read: from the sums of all stations or of some, or from raw rows. */
type KpiSource =
  | { readonly kind: 'sums'; readonly stationIds: readonly number[] | undefined }
  | { readonly kind: 'rows' };

export async function resolveKpiScope(
  transaction: TenantTransaction,
  given: OccurrenceFilter,
  period: KpiPeriod,
): Promise<KpiScope> {
  const filter = { ...given, from: period.from, to: period.to };
  const [scope, firstOpenMonth] = await awaitPipelined([
    resolveScope(transaction, filter),
    readFirstOpenMonth(transaction),
  ]);
  return { filter, period, scope, source: sourceFor(filter, scope), firstOpenMonth };
}

async function readFirstOpenMonth(transaction: TenantTransaction): Promise<number> {
  const row = await transaction
    .selectFrom('closedMonths')
    .select('firstOpen')
    .where('tenantId', '=', transaction.tenantId)
    .executeTakeFirst();
  return row?.firstOpen ?? 0;
}

/** The sums are kept per station. Any other filter needs raw rows, unless it excludes nothing. */
function sourceFor(filter: OccurrenceFilter, { texts, userId }: OccurrenceScope): KpiSource {
  if (userId !== undefined) return { kind: 'rows' };
  if (!texts) return { kind: 'sums', stationIds: undefined };
  const { visibleStationIds, stationId, dataServerId, tagGroupId, callGroupId, search } = filter;
  const others = [dataServerId, tagGroupId, callGroupId, search || undefined];
  if (others.some((value) => value !== undefined)) return { kind: 'rows' };
  if (stationId === undefined) return { kind: 'sums', stationIds: visibleStationIds ?? [] };
  const isVisible = visibleStationIds === undefined || visibleStationIds.includes(stationId);
  return { kind: 'sums', stationIds: isVisible ? [stationId] : [] };
}

/** The rows of sums `k` that belong to the stations. */
export function atStations(stationIds: readonly number[] | undefined): RawBuilder<unknown> {
  return stationIds === undefined ? sql`true` : sql`k.station_id = any (${[...stationIds]}::bigint[])`;
}
