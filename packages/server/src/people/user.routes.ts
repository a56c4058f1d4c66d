import { ListUsers, User, UserBody, UserPage } from '@tocsin/contract';
import { collectionRoutes, type Visit } from '../http/collection.routes.ts';
import type { HttpApp } from '../http/http-app.ts';
import { requireWholeTenant } from '../http/principal.ts';
import { listReferences, requireReferences } from '../postgres/references.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { notFound, ProblemError } from '../problem.ts';
import type { Runtime } from '../runtime.ts';
import { readTenantSettings } from './tenant.store.ts';
import { deleteUser, findUser, insertUser, listUsers, type UserRow, updateUser } from './user.store.ts';
import { userRecord, userToWire } from './user.wire.ts';
import { keepAnAdministrator, requireRank, revocationReason } from './user-rules.ts';
import { findUseOfUser, revokeApiKeysOf, revokeSessions } from './user-use.store.ts';

export function userRoutes(app: HttpApp, runtime: Runtime): void {
  collectionRoutes(app, runtime, {
    path: 'users',
    noun: 'user',
    permission: { read: 'people:read', write: 'people:write' },
    schema: { item: User, page: UserPage, body: UserBody, query: ListUsers },
    list: async ({ transaction, principal: { stationIds } }, query, page) => {
      const { rows, total } = await listUsers(transaction, { ...query, stationIds }, page);
      return { items: rows.map(userToWire), total };
    },
    find: async ({ transaction, principal: { stationIds } }, id, { forUpdate }) => {
      const row = await findUser(transaction, id, { stationIds, forUpdate });
      return row && { item: userToWire(row), version: row.version };
    },
    create,
    replace,
    remove,
  });
}

async function create({ transaction, principal }: Visit, body: UserBody): Promise<number> {
  requireWholeTenant(principal);
  const { name: tenantName } = await readTenantSettings(transaction);
  const user = await userRecord(body, { tenantName });
  requireRank(principal, user.role);
  await requireStations(transaction, body);
  return insertUser(transaction, user);
}

async function replace({ transaction, principal }: Visit, id: number, body: UserBody): Promise<void> {
  requireWholeTenant(principal);
  const before = await readUser(transaction, id);
  const { name: tenantName } = await readTenantSettings(transaction);
  const after = await userRecord(body, { before, tenantName });
  requireRank(principal, before.role);
  requireRank(principal, after.role);
  await requireStations(transaction, body);
  await keepAnAdministrator(transaction, { id, before, after });
  await updateUser(transaction, id, after);
  const reason = revocationReason(before, after);
  if (reason !== undefined) await revokeSessions(transaction, { userId: id, reason });
}

async function remove({ transaction, principal }: Visit, id: number): Promise<void> {
  requireWholeTenant(principal);
  const before = await readUser(transaction, id);
  requireRank(principal, before.role);
  await keepAnAdministrator(transaction, { id, before });
  const used = await findUseOfUser(transaction, id);
  if (used !== undefined) throw new ProblemError('conflict', `The user is named by ${used}`);
  await revokeApiKeysOf(transaction, id);
  await deleteUser(transaction, id);
}

async function readUser(transaction: TenantTransaction, id: number): Promise<UserRow> {
  const user = await findUser(transaction, id, { stationIds: undefined, forUpdate: false });
  if (!user) throw notFound('user', id);
  return user;
}

function requireStations(transaction: TenantTransaction, { stationIds = [] }: UserBody): Promise<void> {
  const references = listReferences('/stationIds', stationIds).filter(({ id }) => id !== 0);
  // Only those who may see all stations come here.
  return requireReferences(transaction, 'stations', { references, stationIds: undefined });
}
