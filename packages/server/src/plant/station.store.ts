import type { StationBody } from '@tocsin/contract';
import { searchText } from '@tocsin/domain';
import { sql } from 'kysely';
import type { PageRequest } from '../http/page.ts';
import { stationInScope } from '../postgres/filters.ts';
import { nextId } from '../postgres/next-id.ts';
import { readPage } from '../postgres/read-page.ts';
import { searchMatches } from '../postgres/search.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type StationRow = {
  id: number;
  name: string;
  localizedName: string;
  timeZone: string;
  version: number;
  lastChange: Date;
};

const columns = ['id', 'name', 'localizedName', 'timeZone', 'version', 'lastChange'] as const;

export async function listStations(
  transaction: TenantTransaction,
  { search, stationIds }: { search?: string | undefined; stationIds: readonly number[] | undefined },
  page: PageRequest,
): Promise<{ rows: StationRow[]; total: number }> {
  const query = transaction
    .selectFrom('stations')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where(searchMatches('searchText', search))
    .where(stationInScope('id', stationIds));
  return readPage(query, page);
}

export async function findStation(
  transaction: TenantTransaction,
  id: number,
  { forUpdate = false }: { forUpdate?: boolean } = {},
): Promise<StationRow | undefined> {
  const query = transaction
    .selectFrom('stations')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id);
  return (forUpdate ? query.forUpdate() : query).executeTakeFirst();
}

/** The time zone of the station, or of the tenant's first one for what belongs to all stations. */
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

/** The name of a user or key that is bound to the station: no foreign key guards their lists. */
export async function findHolderOfStation(
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

export async function insertStation(transaction: TenantTransaction, body: StationBody): Promise<number> {
  const { tenantId, now } = transaction;
  const id = await nextId(transaction, 'station');
  await transaction
    .insertInto('stations')
    .values({ tenantId, id, ...stationColumns(body), lastChange: now })
    .execute();
  return id;
}

export async function updateStation(
  transaction: TenantTransaction,
  id: number,
  body: StationBody,
): Promise<void> {
  await transaction
    .updateTable('stations')
    .set(({ eb }) => ({
      ...stationColumns(body),
      version: eb('version', '+', 1),
      lastChange: transaction.now,
    }))
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

export async function deleteStation(transaction: TenantTransaction, id: number): Promise<void> {
  await transaction
    .deleteFrom('stations')
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

function stationColumns({ name, localizedName = name, timeZone = 'UTC' }: StationBody) {
  return { name, localizedName, timeZone, searchText: searchText([name, localizedName]) };
}
