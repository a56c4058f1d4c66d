import type { CallGroupGroupingBody, ListCallGroupGroupings } from '@tocsin/contract';
import { searchText } from '@tocsin/domain';
import { sql } from 'kysely';
import type { PageRequest } from '../http/page.ts';
import type { StationScope } from '../plant/station-collection.ts';
import { nextId } from '../postgres/next-id.ts';
import { readPage } from '../postgres/read-page.ts';
import { searchMatches } from '../postgres/search.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { lockWrites } from '../postgres/write-lock.ts';
import { readGroupsOf, saveGroupsOf } from './grouped-call-group.store.ts';

export type GroupingRow = {
  id: number;
  name: string;
  localizedName: string;
  parentId: number | null;
  /** Those within the stations asked for. */
  callGroupIds: number[];
  version: number;
  lastChange: Date;
};

const columns = ['id', 'name', 'localizedName', 'parentId', 'version', 'lastChange'] as const;

export async function listGroupings(
  transaction: TenantTransaction,
  { search, stationIds }: ListCallGroupGroupings & StationScope,
  page: PageRequest,
): Promise<{ rows: GroupingRow[]; total: number }> {
  const query = transaction
    .selectFrom('callGroupGroupings')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where(searchMatches('searchText', search));
  const { rows, total } = await readPage(query, page);
  const groupsOf = await readGroupsOf(
    transaction,
    rows.map(({ id }) => id),
    { stationIds },
  );
  return { rows: rows.map((row) => Object.assign(row, { callGroupIds: groupsOf(row.id) })), total };
}

export async function findGrouping(
  transaction: TenantTransaction,
  id: number,
  { stationIds, forUpdate }: StationScope & { forUpdate: boolean },
): Promise<GroupingRow | undefined> {
  if (forUpdate) await lockWrites(transaction, 'call-groups');
  const query = transaction
    .selectFrom('callGroupGroupings')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id);
  const row = await (forUpdate ? query.forUpdate() : query).executeTakeFirst();
  if (!row) return undefined;
  const groupsOf = await readGroupsOf(transaction, [id], { stationIds });
  return { ...row, callGroupIds: groupsOf(id) };
}

export async function insertGrouping(
  transaction: TenantTransaction,
  body: CallGroupGroupingBody,
): Promise<number> {
  const { tenantId, now } = transaction;
  const id = await nextId(transaction, 'call-group-grouping');
  await transaction
    .insertInto('callGroupGroupings')
    .values({ tenantId, id, ...groupingColumns(body), lastChange: now })
    .execute();
  await moveGroups(transaction, id, body);
  return id;
}

export async function updateGrouping(
  transaction: TenantTransaction,
  id: number,
  body: CallGroupGroupingBody,
): Promise<void> {
  await transaction
    .updateTable('callGroupGroupings')
    .set(({ eb }) => ({
      ...groupingColumns(body),
      version: eb('version', '+', 1),
      lastChange: transaction.now,
    }))
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  await moveGroups(transaction, id, body);
}

export async function deleteGrouping(transaction: TenantTransaction, id: number): Promise<void> {
  await transaction
    .deleteFrom('callGroupGroupings')
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

/** Gives the groupings a new version, because the call groups they show have changed. Null is no grouping. */
export async function touchGroupings(
  transaction: TenantTransaction,
  ids: readonly (number | null)[],
): Promise<void> {
  await transaction
    .updateTable('callGroupGroupings')
    .set(({ eb }) => ({ version: eb('version', '+', 1), lastChange: transaction.now }))
    .where('tenantId', '=', transaction.tenantId)
    .where(sql<boolean>`id = any(${ids.filter((id) => id !== null)}::bigint[])`)
    .execute();
}

/** A call group is in one grouping at most: those that come here leave another. */
async function moveGroups(
  transaction: TenantTransaction,
  id: number,
  { callGroupIds = [] }: CallGroupGroupingBody,
): Promise<void> {
  const left = await saveGroupsOf(transaction, id, callGroupIds);
  await touchGroupings(transaction, left);
}

function groupingColumns({ name, localizedName = name, parentId = 0 }: CallGroupGroupingBody) {
  return { name, localizedName, searchText: searchText([name, localizedName]), parentId: parentId || null };
}
