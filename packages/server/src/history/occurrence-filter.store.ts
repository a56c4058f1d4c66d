import { type SelectQueryBuilder, sql } from 'kysely';
import { searchMatches } from '../postgres/search.ts';
import type { Tables } from '../postgres/tables.gen.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { Period } from './period.ts';

/** Which occurrences a question is about. An identifier that names nothing matches nothing. */
export type OccurrenceFilter = Period & {
  /** What the one who asks may see; absent means all stations. */
  visibleStationIds?: readonly number[] | undefined;
  stationId?: number | undefined;
  dataServerId?: number | undefined;
  /** With all groups below it as they are today. */
  tagGroupId?: number | undefined;
  callGroupId?: number | undefined;
  /** Who acknowledged. */
  userId?: number | undefined;
  search?: string | undefined;
};

type Occurrences = SelectQueryBuilder<Tables, 'occurrences', object>;

/** The occurrences that pass the filter, for a store to select from. */
export function filterOccurrences(transaction: TenantTransaction, filter: OccurrenceFilter): Occurrences {
  const { from, to, visibleStationIds, search } = filter;
  let query: Occurrences = transaction
    .selectFrom('occurrences')
    .where('occurrences.tenantId', '=', transaction.tenantId);
  if (visibleStationIds) {
    query = query.where(sql<boolean>`station_id = any(${[...visibleStationIds]}::bigint[])`);
  }
  if (from) query = query.where('raisedAt', '>=', from);
  if (to) query = query.where('raisedAt', '<', to);
  if (search) query = query.where('textId', 'in', matchingTexts(transaction, search));
  return filterIdentifiers(query, filter);
}

function filterIdentifiers(query: Occurrences, filter: OccurrenceFilter): Occurrences {
  const { stationId, dataServerId, tagGroupId, callGroupId, userId } = filter;
  let narrowed = query;
  if (stationId !== undefined) narrowed = narrowed.where('stationId', '=', stationId);
  if (dataServerId !== undefined) narrowed = narrowed.where('dataServerId', '=', dataServerId);
  if (userId !== undefined) narrowed = narrowed.where('ackUserId', '=', userId);
  if (tagGroupId !== undefined) {
    narrowed = narrowed.where(sql<boolean>`tag_group_id in (select tag_group_and_below(${tagGroupId}))`);
  }
  if (callGroupId !== undefined) {
    narrowed = narrowed.where(sql<boolean>`${callGroupId} = any(call_group_ids)`);
  }
  return narrowed;
}

function matchingTexts(transaction: TenantTransaction, search: string) {
  return transaction
    .selectFrom('texts')
    .select('id')
    .where('tenantId', '=', transaction.tenantId)
    .where(searchMatches('searchText', search));
}
