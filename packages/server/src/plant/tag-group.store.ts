import type { ListTagGroups, TagGroupBody } from '@tocsin/contract';
import { searchText } from '@tocsin/domain';
import { createCollectionStore, type StoredRow } from '../postgres/collections/collection-store.ts';
import type { PageBounds, PageOfRows } from '../postgres/collections/read-page.ts';
import { seesAll } from '../postgres/collections/references.ts';
import type { StationScope } from '../postgres/collections/visibility.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

const tagGroupRows = createCollectionStore({
  table: 'tagGroups',
  kind: 'tag-group',
  columns: [
    'id',
    'name',
    'localizedName',
    'parentId',
    'stationId',
    'autoAcknowledge',
    'scenarioId',
    'version',
    'lastChange',
  ],
  filters: ['stationId', 'parentId'],
  writeLock: 'tag-groups',
  toColumns: tagGroupColumns,
});

export type TagGroupRow = StoredRow<typeof tagGroupRows>;

export const tagGroupStore = { ...tagGroupRows, list: listTagGroups };

/** The list is empty if the caller may not see the parent that it is filtered by. */
async function listTagGroups(
  transaction: TenantTransaction,
  query: ListTagGroups & StationScope,
  page: PageBounds,
): Promise<PageOfRows<TagGroupRow>> {
  const { stationIds, parentId } = query;
  if (!(await seesAll(transaction, stationIds, { tagGroups: parentId }))) return { rows: [], total: 0 };
  return tagGroupRows.list(transaction, query, page);
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
