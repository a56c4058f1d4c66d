import type { DataServerBody, ListByStation } from '@tocsin/contract';
import { searchText } from '@tocsin/domain';
import type { PageRequest } from '../http/page.ts';
import { idMatches, stationInScope } from '../postgres/filters.ts';
import { nextId } from '../postgres/next-id.ts';
import { readPage } from '../postgres/read-page.ts';
import { searchMatches } from '../postgres/search.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { StationScope } from './station-collection.ts';

export type DataServerRow = {
  id: number;
  name: string;
  localizedName: string;
  stationId: number | null;
  version: number;
  lastChange: Date;
};

const columns = ['id', 'name', 'localizedName', 'stationId', 'version', 'lastChange'] as const;

export async function listDataServers(
  transaction: TenantTransaction,
  { search, stationId, stationIds }: ListByStation & StationScope,
  page: PageRequest,
): Promise<{ rows: DataServerRow[]; total: number }> {
  const query = transaction
    .selectFrom('dataServers')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where(searchMatches('searchText', search))
    .where(idMatches('stationId', stationId))
    .where(stationInScope('stationId', stationIds));
  return readPage(query, page);
}

export async function findDataServer(
  transaction: TenantTransaction,
  id: number,
  { stationIds, forUpdate }: StationScope & { forUpdate: boolean },
): Promise<DataServerRow | undefined> {
  const query = transaction
    .selectFrom('dataServers')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .where(stationInScope('stationId', stationIds));
  return (forUpdate ? query.forUpdate() : query).executeTakeFirst();
}

export async function insertDataServer(
  transaction: TenantTransaction,
  body: DataServerBody,
): Promise<number> {
  const { tenantId, now } = transaction;
  const id = await nextId(transaction, 'data-server');
  await transaction
    .insertInto('dataServers')
    .values({ tenantId, id, ...dataServerColumns(body), lastChange: now })
    .execute();
  return id;
}

export async function updateDataServer(
  transaction: TenantTransaction,
  id: number,
  body: DataServerBody,
): Promise<void> {
  await transaction
    .updateTable('dataServers')
    .set(({ eb }) => ({
      ...dataServerColumns(body),
      version: eb('version', '+', 1),
      lastChange: transaction.now,
    }))
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

export async function deleteDataServer(transaction: TenantTransaction, id: number): Promise<void> {
  await transaction
    .deleteFrom('dataServers')
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

function dataServerColumns({ name, localizedName = name, stationId = 0 }: DataServerBody) {
  return { name, localizedName, stationId: stationId || null, searchText: searchText([name, localizedName]) };
}
