import { type RawBuilder, sql } from 'kysely';
import { stationInScope, userInScope } from './filters.ts';

/** Stations whose rows the caller may see, besides rows that belong to all stations; undefined means every station. */
export type StationScope = { stationIds: readonly number[] | undefined };

/** Tables whose rows belong to stations, and so are visible to some callers only. */
export type StationTable =
  | 'stations'
  | 'dataServers'
  | 'scenarios'
  | 'tagGroups'
  | 'users'
  | 'callGroups'
  | 'sitePlans';

/** Tables whose rows are visible to the whole tenant. */
export type TenantWideTable = 'callGroupGroupings' | 'mediaFiles' | 'channels' | 'apiKeys' | 'issuers';

const tenantWide: ReadonlySet<string> = new Set<TenantWideTable>([
  'callGroupGroupings',
  'mediaFiles',
  'channels',
  'apiKeys',
  'issuers',
]);

function isTenantWide(table: StationTable | TenantWideTable): table is TenantWideTable {
  return tenantWide.has(table);
}

/** Whether a caller limited to these stations may see a row of the table. */
export function isVisible(
  table: StationTable | TenantWideTable,
  stationIds: readonly number[] | undefined,
): RawBuilder<boolean> {
  if (isTenantWide(table)) return sql<boolean>`true`;
  switch (table) {
    case 'stations':
      return stationInScope('id', stationIds);
    case 'users':
      return userInScope(stationIds);
    case 'callGroups':
    case 'dataServers':
    case 'scenarios':
    case 'sitePlans':
    case 'tagGroups':
      return stationInScope('stationId', stationIds);
  }
}
