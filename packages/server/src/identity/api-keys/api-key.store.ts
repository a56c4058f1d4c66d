import type { Role } from '@tocsin/contract';
import { addSeconds, searchText } from '@tocsin/domain';
import { sql } from 'kysely';
import type { Permission } from '../../http/permissions.ts';
import { createCollectionReader } from '../../postgres/collections/collection-reader.ts';
import { nextId } from '../../postgres/next-id.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

export type ApiKeyRow = {
  id: number;
  name: string;
  role: Role;
  stationIds: number[];
  /** Null: all permissions of the role. */
  scopes: string[] | null;
  /** Empty: all data servers, all paths. */
  dataServerIds: number[];
  pathPrefixes: string[];
  /** The key whose tags it may define. */
  tagsOfKeyId: number | null;
  ownerId: number | null;
  owner: string;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
};

export type NewApiKey = {
  name: string;
  role: Role;
  stationIds: readonly number[];
  scopes: readonly Permission[] | undefined;
  dataServerIds: readonly number[];
  pathPrefixes: readonly string[];
  tagsOfKeyId: number | null;
  ownerId: number | null;
  expiresAt: Date | null;
  secretHash: Buffer;
  createdBy: string;
};

/** A column of the owner. A subquery, because the column names of a join would be ambiguous. */
function ownerColumn(column: 'name' | 'enabled') {
  return sql`select ${sql.ref(`owners.${column}`)} from users owners
    where owners.tenant_id = api_keys.tenant_id and owners.id = api_keys.owner_id`;
}

const columns = [
  'id',
  'name',
  sql<Role>`role`.as('role'),
  'stationIds',
  'scopes',
  'dataServerIds',
  'pathPrefixes',
  'tagsOfKeyId',
  'ownerId',
  sql<string>`coalesce((${ownerColumn('name')}), '')`.as('owner'),
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'revokedAt',
] as const;

const apiKeys = createCollectionReader({ table: 'apiKeys', columns });

export const listApiKeys = apiKeys.list;

export function findApiKey(transaction: TenantTransaction, id: number): Promise<ApiKeyRow | undefined> {
  return apiKeys.find(transaction, id, { forUpdate: false });
}

/** Finds the row of a key with the hash of its secret, which nothing else reads. */
export function findApiKeySecret(
  transaction: TenantTransaction,
  id: number,
): Promise<(ApiKeyRow & { secretHash: Buffer; isOwnerInactive: boolean }) | undefined> {
  return transaction
    .selectFrom('apiKeys')
    .select([...columns, 'secretHash'])
    .select(
      sql<boolean>`owner_id is not null and not coalesce((${ownerColumn('enabled')}), false)`.as(
        'isOwnerInactive',
      ),
    )
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function insertApiKey(
  transaction: TenantTransaction,
  { stationIds, scopes, dataServerIds, pathPrefixes, ...key }: NewApiKey,
): Promise<ApiKeyRow> {
  const { tenantId, now } = transaction;
  return transaction
    .insertInto('apiKeys')
    .values({
      ...key,
      tenantId,
      id: await nextId(transaction, 'api-key'),
      stationIds: [...stationIds],
      scopes: scopes ? [...scopes] : null,
      dataServerIds: [...dataServerIds],
      pathPrefixes: [...pathPrefixes],
      createdAt: now,
      searchText: searchText([key.name]),
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Returns whether the key exists. A key that was revoked before keeps its first time. */
export async function revokeApiKey(transaction: TenantTransaction, id: number): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('apiKeys')
    .set((eb) => ({ revokedAt: eb.fn.coalesce('revokedAt', eb.val(transaction.now)) }))
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Makes the user the owner of the key, which then ends with that user. Returns whether the key exists. */
export async function adoptApiKey(
  transaction: TenantTransaction,
  id: number,
  ownerId: number | null,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('apiKeys')
    .set({ ownerId })
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Records the use of the key, at most once in `seconds`. */
export async function recordApiKeyUse(
  transaction: TenantTransaction,
  id: number,
  seconds: number,
): Promise<void> {
  const { tenantId, now } = transaction;
  await transaction
    .updateTable('apiKeys')
    .set({ lastUsedAt: now })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<=', addSeconds(now, -seconds))]))
    .execute();
}
