import type { ListTagGroups, TagGroupBody } from '@tocsin/contract';
import { searchText } from '@tocsin/domain';
import type { PageRequest } from '../http/page.ts';
import { idMatches, stationInScope } from '../postgres/filters.ts';
import { nextId } from '../postgres/next-id.ts';
import { readPage } from '../postgres/read-page.ts';
import { seesAll } from '../postgres/references.ts';
import { searchMatches } from '../postgres/search.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { lockWrites } from '../postgres/write-lock.ts';
import type { StationScope } from './station-collection.ts';

export type TagGroupRow = {
  id: number;
  name: string;
  localizedName: string;
  parentId: number | null;
  stationId: number | null;
  autoAcknowledge: boolean;
  scenarioId: number | null;
  version: number;
  lastChange: Date;
};

const columns = [
  'id',
  'name',
  'localizedName',
  'parentId',
  'stationId',
  'autoAcknowledge',
  'scenarioId',
  'version',
  'lastChange',
] as const;

export async function listTagGroups(
  transaction: TenantTransaction,
  { search, stationId, parentId, stationIds }: ListTagGroups & StationScope,
  page: PageRequest,
): Promise<{ rows: TagGroupRow[]; total: number }> {
  if (!(await seesAll(transaction, stationIds, { tagGroups: parentId }))) return { rows: [], total: 0 };
  const query = transaction
    .selectFrom('tagGroups')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where(searchMatches('searchText', search))
    .where(idMatches('stationId', stationId))
    .where(idMatches('parentId', parentId))
    .where(stationInScope('stationId', stationIds));
  return readPage(query, page);
}

export async function findTagGroup(
  transaction: TenantTransaction,
  id: number,
  { stationIds, forUpdate }: StationScope & { forUpdate: boolean },
): Promise<TagGroupRow | undefined> {
  if (forUpdate) await lockWrites(transaction, 'tag-groups');
  const query = transaction
    .selectFrom('tagGroups')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .where(stationInScope('stationId', stationIds));
  return (forUpdate ? query.forUpdate() : query).executeTakeFirst();
}

export async function insertTagGroup(transaction: TenantTransaction, body: TagGroupBody): Promise<number> {
  const { tenantId, now } = transaction;
  const id = await nextId(transaction, 'tag-group');
  await transaction
    .insertInto('tagGroups')
    .values({ tenantId, id, ...tagGroupColumns(body), lastChange: now })
    .execute();
  return id;
}

export async function updateTagGroup(
  transaction: TenantTransaction,
  id: number,
  body: TagGroupBody,
): Promise<void> {
  await transaction
    .updateTable('tagGroups')
    .set(({ eb }) => ({
      ...tagGroupColumns(body),
      version: eb('version', '+', 1),
      lastChange: transaction.now,
    }))
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

export async function deleteTagGroup(transaction: TenantTransaction, id: number): Promise<void> {
  await transaction
    .deleteFrom('tagGroups')
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

function tagGroupColumns({
  name,
  localizedName = name,
  parentId = 0,
  stationId = 0,
  autoAcknowledge = false,
  scenarioId = 0,
}: TagGroupBody) {
  return {
    name,
    localizedName,
    searchText: searchText([name, localizedName]),
    parentId: parentId || null,
    stationId: stationId || null,
    autoAcknowledge,
    scenarioId: scenarioId || null,
  };
}
