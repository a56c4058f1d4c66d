import type { StationBody } from '@tocsin/contract';
import { searchText } from '@tocsin/domain';
import { sql } from 'kysely';
import { createCollectionStore, type StoredRow } from '../postgres/collections/collection-store.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type StationRow = StoredRow<typeof stationStore>;

export const stationStore = createCollectionStore({
  table: 'stations',
  kind: 'station',
  columns: ['id', 'name', 'localizedName', 'timeZone', 'version', 'lastChange'],
  toColumns: ({ name, localizedName = name, timeZone = 'UTC' }: StationBody) => ({
    name,
    localizedName,
    timeZone,
    searchText: searchText([name, localizedName]),
  }),
});

/** The time zone of the station; of the tenant's first station for an object that belongs to all stations. */
export async function zoneOfStation(
  transaction: TenantTransaction,
  id: number | null | undefined,
): Promise<string> {
  const station = await transaction
    .selectFrom('stations')
    .select('timeZone')
    .where('tenantId', '=', transaction.tenantId)
    .orderBy(sql`${sql.ref('id')} = ${id ?? 0} desc`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return station?.timeZone ?? 'UTC';
}

/** The name of a user or API key limited to the station: no foreign key protects their lists of stations. */
export async function findAccountOfStation(
  transaction: TenantTransaction,
  id: number,
): Promise<string | undefined> {
  const { tenantId } = transaction;
  const { rows } = await sql<{ name: string }>`
    select name from users where tenant_id = ${tenantId} and ${id} = any(station_ids)
    union all
    select name from api_keys where tenant_id = ${tenantId} and ${id} = any(station_ids) and revoked_at is null
    limit 1`.execute(transaction);
  return rows[0]?.name;
}
