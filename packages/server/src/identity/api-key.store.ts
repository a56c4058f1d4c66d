import type { Role } from '@tocsin/contract';
import { addSeconds, searchText } from '@tocsin/domain';
import { sql } from 'kysely';
import type { PageRequest } from '../http/page.ts';
import type { Permission } from '../http/permissions.ts';
import { nextId } from '../postgres/next-id.ts';
import { readPage } from '../postgres/read-page.ts';
import { searchMatches } from '../postgres/search.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type ApiKeyRow = {
  id: number;
  name: string;
  role: Role;
  stationIds: number[];
  /** Null: all permissions of the role. */
  scopes: string[] | null;
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
  expiresAt: Date | undefined;
  secretHash: Buffer;
  createdBy: string;
};

const columns = [
  'id',
  'name',
  sql<Role>`role`.as('role'),
  'stationIds',
  'scopes',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'revokedAt',
] as const;

export function listApiKeys(
  transaction: TenantTransaction,
  { search }: { search?: string | undefined },
  page: PageRequest,
): Promise<{ rows: ApiKeyRow[]; total: number }> {
  const query = transaction
    .selectFrom('apiKeys')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where(searchMatches('searchText', search));
  return readPage(query, page);
}

export function findApiKey(transaction: TenantTransaction, id: number): Promise<ApiKeyRow | undefined> {
  return transaction
    .selectFrom('apiKeys')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** What checking a key needs: the row and the hash of its secret, which nothing else reads. */
export function findApiKeySecret(
  transaction: TenantTransaction,
  id: number,
): Promise<(ApiKeyRow & { secretHash: Buffer }) | undefined> {
  return transaction
    .selectFrom('apiKeys')
    .select([...columns, 'secretHash'])
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function insertApiKey(
  transaction: TenantTransaction,
  { name, role, stationIds, scopes, expiresAt, secretHash, createdBy }: NewApiKey,
): Promise<ApiKeyRow> {
  const { tenantId, now } = transaction;
  const shown = {
    id: await nextId(transaction, 'api-key'),
    name,
    role,
    stationIds: [...stationIds],
    scopes: scopes ? [...scopes] : null,
    createdAt: now,
    expiresAt: expiresAt ?? null,
    lastUsedAt: null,
    revokedAt: null,
  };
  await transaction
    .insertInto('apiKeys')
    .values({ ...shown, tenantId, secretHash, createdBy, searchText: searchText([name]) })
    .execute();
  return shown;
}

/** Whether there is such a key; one revoked before keeps the time of the first time. */
export async function revokeApiKey(transaction: TenantTransaction, id: number): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('apiKeys')
    .set((eb) => ({ revokedAt: eb.fn.coalesce('revokedAt', eb.val(transaction.now)) }))
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Notes that the key was used, unless that was noted within `seconds` before. */
export async function noteApiKeyUse(
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
