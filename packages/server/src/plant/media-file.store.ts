import { searchText } from '@tocsin/domain';
import { sql } from 'kysely';
import type { PageRequest } from '../http/page.ts';
import { nextId } from '../postgres/next-id.ts';
import { readPage } from '../postgres/read-page.ts';
import { searchMatches } from '../postgres/search.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type MediaFileRow = {
  id: number;
  name: string;
  contentType: string;
  /** Bytes. */
  size: number;
  sha256: string;
  version: number;
  lastChange: Date;
};

export type MediaContent = { name: string; contentType: string; content: Buffer; sha256: string };

const columns = [
  'id',
  'name',
  'contentType',
  sql<number>`octet_length(content)`.as('size'),
  'sha256',
  'version',
  'lastChange',
] as const;

export async function listMediaFiles(
  transaction: TenantTransaction,
  { search }: { search?: string },
  page: PageRequest,
): Promise<{ rows: MediaFileRow[]; total: number }> {
  const query = transaction
    .selectFrom('mediaFiles')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where(searchMatches('searchText', search));
  return readPage(query, page);
}

export async function findMediaFile(
  transaction: TenantTransaction,
  id: number,
  { forUpdate }: { forUpdate: boolean },
): Promise<MediaFileRow | undefined> {
  const query = transaction
    .selectFrom('mediaFiles')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id);
  return (forUpdate ? query.forUpdate() : query).executeTakeFirst();
}

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

/** The file that messages call by this name. */
export async function readMediaNamed(
  transaction: TenantTransaction,
  name: string,
): Promise<MediaContent | undefined> {
  return transaction
    .selectFrom('mediaFiles')
    .select(['name', 'contentType', 'content', 'sha256'])
    .where('tenantId', '=', transaction.tenantId)
    .where('name', '=', name)
    .executeTakeFirst();
}

export async function insertMediaFile(transaction: TenantTransaction, file: MediaContent): Promise<number> {
  const { tenantId, now } = transaction;
  const id = await nextId(transaction, 'media-file');
  await transaction
    .insertInto('mediaFiles')
    .values({ tenantId, id, ...file, searchText: searchText([file.name]), lastChange: now })
    .execute();
  return id;
}

/** Adds the file unless one of that name is there already. */
export async function findOrKeepMedia(transaction: TenantTransaction, file: MediaContent): Promise<void> {
  const { tenantId, now } = transaction;
  if (await readMediaNamed(transaction, file.name)) return;
  const id = await nextId(transaction, 'media-file');
  await transaction
    .insertInto('mediaFiles')
    .values({ tenantId, id, ...file, searchText: searchText([file.name]), lastChange: now })
    .onConflict((conflict) => conflict.columns(['tenantId', 'name']).doNothing())
    .execute();
}

export async function updateMediaFile(
  transaction: TenantTransaction,
  id: number,
  file: MediaContent,
): Promise<void> {
  await transaction
    .updateTable('mediaFiles')
    .set(({ eb }) => ({
      ...file,
      searchText: searchText([file.name]),
      version: eb('version', '+', 1),
      lastChange: transaction.now,
    }))
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

export async function deleteMediaFile(transaction: TenantTransaction, id: number): Promise<void> {
  await transaction
    .deleteFrom('mediaFiles')
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}
