import type { Role } from '@tocsin/contract';
import { addSeconds, searchText } from '@tocsin/domain';
import { sql } from 'kysely';
import type { Permission } from '../../http/permissions.ts';
import { createCollectionReader } from '../../postgres/collections/collection-reader.ts';
import { nextId } from '../../postgres/next-id.ts';
import type { BareTransaction, TenantTransaction } from '../../postgres/tenant-transaction.ts';

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

/** A subquery, because the column names of a join would be ambiguous. */
const ownerName = sql`select owners.name from users owners
  where owners.tenant_id = api_keys.tenant_id and owners.id = api_keys.owner_id`;

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
  sql<string>`coalesce((${ownerName}), '')`.as('owner'),
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

/** A key as requests are checked against it. */
export type ApiKeySecret = Omit<ApiKeyRow, 'owner' | 'createdAt'> & {
  secretHash: Buffer;
  isOwnerInactive: boolean;
};

/**
 * Finds a key with the hash of its secret, which nothing else reads. Written by hand and prepared, because a storm of many
 * tenants reads a key for nearly every alarm.
 */
export async function findApiKeySecret(
  { client, tenantId }: BareTransaction,
  id: number,
): Promise<ApiKeySecret | undefined> {
  const { rows } = await client.query<ApiKeySecret>({
    name: 'find-api-key-secret',
    text: `
      select id, name, role, station_ids as "stationIds", scopes, data_server_ids as "dataServerIds",
        path_prefixes as "pathPrefixes", tags_of_key_id as "tagsOfKeyId", owner_id as "ownerId", expires_at as "expiresAt",
        last_used_at as "lastUsedAt", revoked_at as "revokedAt", secret_hash as "secretHash",
        owner_id is not null and not coalesce((select enabled from users u
          where u.tenant_id = k.tenant_id and u.id = k.owner_id), false) as "isOwnerInactive"
      from api_keys k where tenant_id = $1 and id = $2`,
    values: [tenantId, id],
  });
  return rows[0];
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
  { client, tenantId, now }: BareTransaction & Pick<TenantTransaction, 'now'>,
  id: number,
  seconds: number,
): Promise<void> {
  await client.query({
    name: 'record-api-key-use',
    text: `update api_keys set last_used_at = $3 where tenant_id = $1 and id = $2
      and (last_used_at is null or last_used_at <= $4)`,
    values: [tenantId, id, now, addSeconds(now, -seconds)],
  });
}
