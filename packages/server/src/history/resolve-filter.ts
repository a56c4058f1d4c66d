import type { ListHistories } from '@tocsin/contract';
import type { Principal } from '../http/principal.ts';
import { stationsFor } from '../postgres/collections/references.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { OccurrenceFilter } from './occurrence-filter.store.ts';
import { resolvePeriod } from './resolve-period.ts';

/** The filter of a query of histories, statistics or interventions, limited to rows that the caller may see. */
export async function resolveFilter(
  transaction: TenantTransaction,
  { stationIds }: Principal,
  query: ListHistories,
): Promise<OccurrenceFilter> {
  const { stationId, dataServerId, tagGroupId, callGroupId, userId, search } = query;
  const named = { tagGroups: tagGroupId, callGroups: callGroupId, users: userId };
  const visibleStationIds = await stationsFor(transaction, stationIds, named);
  const period = await resolvePeriod(transaction, query);
  return {
    ...period,
    visibleStationIds,
    stationId,
    dataServerId,
    tagGroupId,
    callGroupId,
    userId,
    search,
  };
}
