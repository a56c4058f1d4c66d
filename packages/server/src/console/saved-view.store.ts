import type { SavedViewBody } from '@tocsin/contract';
import { type PageBounds, type PageOfRows, readPage } from '../postgres/collections/read-page.ts';
import { nextId } from '../postgres/next-id.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type SavedViewRow = {
  id: number;
  ownerId: number;
  owner: string;
  name: string;
  search: string;
  shared: boolean;
  version: number;
};

/** The views of the user, and those that others share. */
function visibleViews(transaction: TenantTransaction, userId: number) {
  return transaction
    .selectFrom('savedViews')
    .select(['id', 'ownerId', 'name', 'search', 'shared', 'version'])
    .select(({ selectFrom }) =>
      selectFrom('users')
        .select('users.name')
        .whereRef('users.tenantId', '=', 'savedViews.tenantId')
        .whereRef('users.id', '=', 'savedViews.ownerId')
        .as('owner'),
    )
    .where('tenantId', '=', transaction.tenantId)
    .where(({ or, eb }) => or([eb('ownerId', '=', userId), eb('shared', '=', true)]));
}

const withOwner = (row: Omit<SavedViewRow, 'owner'> & { owner: string | null }): SavedViewRow => ({
  ...row,
  owner: row.owner ?? '',
});

export async function listSavedViews(
  transaction: TenantTransaction,
  userId: number,
  bounds: PageBounds,
): Promise<PageOfRows<SavedViewRow>> {
  const { rows, total } = await readPage(visibleViews(transaction, userId), bounds);
  return { rows: rows.map(withOwner), total };
}

export async function findSavedView(
  transaction: TenantTransaction,
  userId: number,
  { id, forUpdate }: { id: number; forUpdate: boolean },
): Promise<SavedViewRow | undefined> {
  const query = visibleViews(transaction, userId).where('id', '=', id);
  const row = await (forUpdate ? query.forUpdate() : query).executeTakeFirst();
  return row && withOwner(row);
}

export async function countSavedViews(transaction: TenantTransaction, ownerId: number): Promise<number> {
  const { count } = await transaction
    .selectFrom('savedViews')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenantId', '=', transaction.tenantId)
    .where('ownerId', '=', ownerId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertSavedView(
  transaction: TenantTransaction,
  ownerId: number,
  { name, search, shared = false }: SavedViewBody,
): Promise<number> {
  const { tenantId, now: lastChange } = transaction;
  const id = await nextId(transaction, 'saved-view');
  const row = { tenantId, id, ownerId, name, search, shared, lastChange };
  await transaction.insertInto('savedViews').values(row).execute();
  return id;
}

export async function updateSavedView(
  transaction: TenantTransaction,
  id: number,
  { name, search, shared }: Required<SavedViewBody>,
): Promise<void> {
  await transaction
    .updateTable('savedViews')
    .set(({ eb }) => ({ name, search, shared, version: eb('version', '+', 1), lastChange: transaction.now }))
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

export async function deleteSavedView(transaction: TenantTransaction, id: number): Promise<void> {
  await transaction
    .deleteFrom('savedViews')
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}
