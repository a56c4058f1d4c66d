import type { CallGroupGroupingBody, ListCallGroupGroupings } from '@tocsin/contract';
import { searchText } from '@tocsin/domain';
import { sql } from 'kysely';
import { createCollectionStore, type StoredRow } from '../postgres/collections/collection-store.ts';
import type { PageBounds, PageOfRows } from '../postgres/collections/read-page.ts';
import type { StationScope } from '../postgres/collections/visibility.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { readGroupsOf, saveGroupsOf } from './grouped-call-group.store.ts';

/** The rows of groupings without their call groups. */
const groupingRows = createCollectionStore({
  table: 'callGroupGroupings',
  kind: 'call-group-grouping',
  columns: ['id', 'name', 'localizedName', 'parentId', 'version', 'lastChange'],
  writeLock: 'call-groups',
  toColumns: ({ name, localizedName = name, parentId = 0 }: CallGroupGroupingBody) => ({
    name,
    localizedName,
    searchText: searchText([name, localizedName]),
    parentId: parentId || null,
  }),
});

export type GroupingRow = StoredRow<typeof groupingRows> & {
  /** The call groups that the caller may see. */
  callGroupIds: number[];
};

export async function listGroupings(
  transaction: TenantTransaction,
  { search, stationIds }: ListCallGroupGroupings & StationScope,
  page: PageBounds,
): Promise<PageOfRows<GroupingRow>> {
  const { rows, total } = await groupingRows.list(transaction, { search }, page);
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
  const row = await groupingRows.find(transaction, id, { forUpdate });
  if (!row) return undefined;
  const groupsOf = await readGroupsOf(transaction, [id], { stationIds });
  return { ...row, callGroupIds: groupsOf(id) };
}

export async function insertGrouping(
  transaction: TenantTransaction,
  body: CallGroupGroupingBody,
): Promise<number> {
  const id = await groupingRows.insert(transaction, body);
  await moveGroups(transaction, id, body);
  return id;
}

export async function updateGrouping(
  transaction: TenantTransaction,
  id: number,
  body: CallGroupGroupingBody,
): Promise<void> {
  await groupingRows.update(transaction, id, body);
  await moveGroups(transaction, id, body);
}

export const deleteGrouping = groupingRows.remove;

/** Gives the groupings a new version, because their call groups changed. Null stands for no grouping. */
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

/** A call group is in at most one grouping, so groupings that lose a call group change as well. */
async function moveGroups(
  transaction: TenantTransaction,
  id: number,
  { callGroupIds = [] }: CallGroupGroupingBody,
): Promise<void> {
  const former = await saveGroupsOf(transaction, id, callGroupIds);
  await touchGroupings(transaction, former);
}
