import type { ListHistories } from '@tocsin/contract';
import type { Principal } from '../http/principal.ts';
import { stationsFor } from '../postgres/references.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { OccurrenceFilter } from './occurrence-filter.store.ts';
import { resolvePeriod } from './resolve-period.ts';

/** What a query of histories, statistics or interventions asks for, within what the principal may see. */
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
