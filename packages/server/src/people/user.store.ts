import type { ListUsers, Medium, Role, UserIdentity } from '@tocsin/contract';
import { searchText } from '@tocsin/domain';
import { sql } from 'kysely';
import type { PageRequest } from '../http/page.ts';
import type { StationScope } from '../plant/station-collection.ts';
import { userInScope } from '../postgres/filters.ts';
import { nextId } from '../postgres/next-id.ts';
import { readPage } from '../postgres/read-page.ts';
import { searchMatches } from '../postgres/search.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { lockWrites } from '../postgres/write-lock.ts';
import { ProblemError } from '../problem.ts';
import { readIdentities, saveIdentities } from './user-identity.store.ts';
import { readMedia, saveMedia } from './user-media.store.ts';

/** A user as the caller of a store describes him. */
export type UserRecord = {
  username: string;
  name: string;
  role: Role;
  /** Empty: all stations. */
  stationIds: number[];
  enabled: boolean;
  language: string;
  media: Required<Medium>[];
  /** Undefined: those there are stay. */
  identities: UserIdentity[] | undefined;
  /** Undefined: the password there is, if any, stays. */
  passwordHash: string | undefined;
};

export type UserRow = Omit<UserRecord, 'passwordHash' | 'identities'> & {
  id: number;
  identities: UserIdentity[];
  version: number;
  lastChange: Date;
};

const columns = [
  'id',
  'username',
  'name',
  sql<Role>`role`.as('role'),
  'stationIds',
  'enabled',
  'language',
  'version',
  'lastChange',
] as const;

export async function listUsers(
  transaction: TenantTransaction,
  { search, role, stationIds }: ListUsers & StationScope,
  page: PageRequest,
): Promise<{ rows: UserRow[]; total: number }> {
  let query = transaction
    .selectFrom('users')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where(searchMatches('searchText', search))
    .where(userInScope(stationIds));
  if (role !== undefined) query = query.where('role', '=', role);
  const { rows, total } = await readPage(query, page);
  const ids = rows.map(({ id }) => id);
  const media = await readMedia(transaction, ids);
  const identities = await readIdentities(transaction, ids);
  const whole = rows.map((row) =>
    Object.assign(row, { media: media.get(row.id) ?? [], identities: identities.get(row.id) ?? [] }),
  );
  return { rows: whole, total };
}

export async function findUser(
  transaction: TenantTransaction,
  id: number,
  { stationIds, forUpdate }: StationScope & { forUpdate: boolean },
): Promise<UserRow | undefined> {
  if (forUpdate) await lockWrites(transaction, 'users');
  const query = transaction
    .selectFrom('users')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .where(userInScope(stationIds));
  const row = await (forUpdate ? query.forUpdate() : query).executeTakeFirst();
  if (!row) return undefined;
  const media = await readMedia(transaction, [id]);
  const identities = await readIdentities(transaction, [id]);
  return { ...row, media: media.get(id) ?? [], identities: identities.get(id) ?? [] };
}

export async function insertUser(transaction: TenantTransaction, user: UserRecord): Promise<number> {
  const { tenantId, now } = transaction;
  const id = await nextId(transaction, 'user');
  await transaction
    .insertInto('users')
    .values({ tenantId, id, ...userColumns(user), lastChange: now })
    .execute();
  await saveLogin(transaction, id, user.username);
  await saveMedia(transaction, id, user.media);
  if (user.identities !== undefined) await saveIdentities(transaction, id, user.identities);
  return id;
}

export async function updateUser(
  transaction: TenantTransaction,
  id: number,
  user: UserRecord,
): Promise<void> {
  await transaction
    .updateTable('users')
    .set(({ eb }) => ({
      ...userColumns(user),
      version: eb('version', '+', 1),
      lastChange: transaction.now,
    }))
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  await saveLogin(transaction, id, user.username);
  await saveMedia(transaction, id, user.media);
  if (user.identities !== undefined) await saveIdentities(transaction, id, user.identities);
}

export async function deleteUser(transaction: TenantTransaction, id: number): Promise<void> {
  await transaction
    .deleteFrom('users')
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

/** The name that is logged in with, of one user of the tenant only. Who keeps it has had it since before. */
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
    // Lower case as the database has it, because it compares the name at log-in.
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

function userColumns({ username, name, role, stationIds, enabled, language, passwordHash }: UserRecord) {
  return {
    username,
    name,
    searchText: searchText([username, name]),
    role,
    stationIds,
    enabled,
    language,
    ...(passwordHash !== undefined && { passwordHash }),
  };
}
