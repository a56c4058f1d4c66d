import type { ListUsers, Role, UserIdentity } from '@tocsin/contract';
import { type ContactMedium, searchText } from '@tocsin/domain';
import { sql } from 'kysely';
import { ProblemError } from '../common/problem.ts';
import { createCollectionStore } from '../postgres/collections/collection-store.ts';
import type { PageBounds, PageOfRows } from '../postgres/collections/read-page.ts';
import type { StationScope } from '../postgres/collections/visibility.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { readIdentities, saveIdentities } from './user-identity.store.ts';
import { readMedia, saveMedia } from './user-media.store.ts';

/** A user as it is written. */
export type UserRecord = {
  username: string;
  name: string;
  role: Role;
  /** Empty: all stations. */
  stationIds: number[];
  enabled: boolean;
  language: string;
  breakGlass: boolean;
  media: ContactMedium[];
  /** Undefined leaves the identities as they are. */
  identities: UserIdentity[] | undefined;
  /** Undefined leaves the password as it is. */
  passwordHash: string | undefined;
};

export type UserRow = Omit<UserRecord, 'passwordHash' | 'identities'> & {
  id: number;
  identities: UserIdentity[];
  version: number;
  lastChange: Date;
};

/** The rows of users without their media and identities. */
const userRows = createCollectionStore({
  table: 'users',
  kind: 'user',
  columns: [
    'id',
    'username',
    'name',
    sql<Role>`role`.as('role'),
    'stationIds',
    'enabled',
    'language',
    'breakGlass',
    'version',
    'lastChange',
  ],
  filters: ['role'],
  writeLock: 'users',
  toColumns: userColumns,
});

export async function listUsers(
  transaction: TenantTransaction,
  query: ListUsers & StationScope,
  page: PageBounds,
): Promise<PageOfRows<UserRow>> {
  const { rows, total } = await userRows.list(transaction, query, page);
  const ids = rows.map(({ id }) => id);
  const media = await readMedia(transaction, ids);
  const identities = await readIdentities(transaction, ids);
  const users = rows.map((row) =>
    Object.assign(row, { media: media.get(row.id) ?? [], identities: identities.get(row.id) ?? [] }),
  );
  return { rows: users, total };
}

export async function findUser(
  transaction: TenantTransaction,
  id: number,
  options: StationScope & { forUpdate: boolean },
): Promise<UserRow | undefined> {
  const row = await userRows.find(transaction, id, options);
  if (!row) return undefined;
  const media = await readMedia(transaction, [id]);
  const identities = await readIdentities(transaction, [id]);
  return { ...row, media: media.get(id) ?? [], identities: identities.get(id) ?? [] };
}

export async function insertUser(transaction: TenantTransaction, user: UserRecord): Promise<number> {
  const id = await userRows.insert(transaction, user);
  await saveParts(transaction, id, user);
  return id;
}

export async function updateUser(
  transaction: TenantTransaction,
  id: number,
  user: UserRecord,
): Promise<void> {
  await userRows.update(transaction, id, user);
  await saveParts(transaction, id, user);
}

/** Replaces only the media of the user. */
export async function updateUserMedia(
  transaction: TenantTransaction,
  id: number,
  media: readonly ContactMedium[],
): Promise<void> {
  await transaction
    .updateTable('users')
    .set(({ eb }) => ({ version: eb('version', '+', 1), lastChange: transaction.now }))
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  await saveMedia(transaction, id, media);
}

export async function savePasswordHash(
  transaction: TenantTransaction,
  id: number,
  passwordHash: string,
): Promise<void> {
  await transaction
    .updateTable('users')
    .set(({ eb }) => ({ passwordHash, version: eb('version', '+', 1), lastChange: transaction.now }))
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

export const deleteUser = userRows.remove;

async function saveParts(
  transaction: TenantTransaction,
  id: number,
  { username, media, identities }: UserRecord,
): Promise<void> {
  await saveLogin(transaction, id, username);
  await saveMedia(transaction, id, media);
  if (identities !== undefined) await saveIdentities(transaction, id, identities);
}

/** Saves the name for log-in, which is unique in the tenant; a user who keeps their name keeps the row. */
async function saveLogin(transaction: TenantTransaction, userId: number, username: string): Promise<void> {
  const { tenantId } = transaction;
  await transaction
    .deleteFrom('logins')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('usernameKey', '!=', sql<string>`lower(${username})`)
    .execute();
  const saved = await transaction
    .insertInto('logins')
    // The database makes it lower case, because the database compares it at log-in.
    .values({ usernameKey: sql<string>`lower(${username})`, tenantId, userId })
    .onConflict((conflict) =>
      conflict
        .columns(['tenantId', 'usernameKey'])
        .doUpdateSet({ userId })
        .where('logins.userId', '=', userId),
    )
    .returning('userId')
    .executeTakeFirst();
  if (!saved) throw new ProblemError('conflict', `The user name ${username} is taken`);
}

function userColumns(user: UserRecord) {
  const { username, name, role, stationIds, enabled, language, breakGlass, passwordHash } = user;
  return {
    username,
    name,
    searchText: searchText([username, name]),
    role,
    stationIds,
    enabled,
    language,
    breakGlass,
    ...(passwordHash !== undefined && { passwordHash }),
  };
}
