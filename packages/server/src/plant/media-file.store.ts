import { searchText } from '@tocsin/domain';
import { sql } from 'kysely';
import { unknownReference } from '../common/problem.ts';
import { createCollectionStore, type StoredRow } from '../postgres/collections/collection-store.ts';
import { nextId } from '../postgres/next-id.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type MediaContent = { name: string; contentType: string; content: Buffer; sha256: string };

export const mediaFileStore = createCollectionStore({
  table: 'mediaFiles',
  kind: 'media-file',
  columns: [
    'id',
    'name',
    'contentType',
    sql<number>`octet_length(content)`.as('size'),
    'sha256',
    'version',
    'lastChange',
  ],
  toColumns: (file: MediaContent) => ({ ...file, searchText: searchText([file.name]) }),
});

export type MediaFileRow = StoredRow<typeof mediaFileStore>;

export async function readMediaContent(
  transaction: TenantTransaction,
  id: number,
): Promise<MediaContent | undefined> {
  return transaction
    .selectFrom('mediaFiles')
    .select(['name', 'contentType', 'content', 'sha256'])
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Messages name media files by their name. */
export async function readMediaByName(
  transaction: TenantTransaction,
  name: string,
): Promise<(MediaContent & { id: number }) | undefined> {
  return transaction
    .selectFrom('mediaFiles')
    .select(['id', 'name', 'contentType', 'content', 'sha256'])
    .where('tenantId', '=', transaction.tenantId)
    .where('name', '=', name)
    .executeTakeFirst();
}

/** Adds the file unless another has its name. */
export async function addMediaIfMissing(transaction: TenantTransaction, file: MediaContent): Promise<void> {
  const { tenantId, now } = transaction;
  if (await readMediaByName(transaction, file.name)) return;
  const id = await nextId(transaction, 'media-file');
  await transaction
    .insertInto('mediaFiles')
    .values({ tenantId, id, ...file, searchText: searchText([file.name]), lastChange: now })
    .onConflict((conflict) => conflict.columns(['tenantId', 'name']).doNothing())
    .execute();
}

/** Refuses a list of names with one that no file has; the problem names its place. */
export async function requireMediaNames(
  transaction: TenantTransaction,
  pointer: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const rows = await transaction
    .selectFrom('mediaFiles')
    .select('name')
    .where('tenantId', '=', transaction.tenantId)
    .where('name', 'in', [...names])
    .execute();
  const known = new Set(rows.map(({ name }) => name));
  const unknown = names.findIndex((name) => !known.has(name));
  if (unknown >= 0) throw unknownReference(`${pointer}/${unknown}`, names[unknown] ?? '');
}
