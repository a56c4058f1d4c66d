import { ListUsers, User, UserBody, UserPage } from '@tocsin/contract';
import { notFound, ProblemError } from '../common/problem.ts';
import { collectionRoutes } from '../http/collection.routes.ts';
import type { RequestContext } from '../http/collection.ts';
import { visibleItems } from '../http/collection-access.ts';
import type { HttpApp } from '../http/http-app.ts';
import { requireWholeTenant } from '../http/principal.ts';
import { listReferences, requireReferences } from '../postgres/collections/references.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { requireBreakGlassRules } from './break-glass.ts';
import { confirmationByAdministrator } from './confirmation-by-administrator.ts';
import { deletePasswordReset } from './password-reset.store.ts';
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
    confirm: ['delete'],
    schema: { item: User, page: UserPage, body: UserBody, query: ListUsers },
    ...visibleItems({ list: listUsers, find: findUser, toWire: userToWire }),
    create,
    replace,
    remove,
  });
}

async function create({ transaction, principal }: RequestContext, body: UserBody): Promise<number> {
  requireWholeTenant(principal);
  const user = await userRecord(body, await contextOf(transaction));
  requireRank(principal, user.role);
  await requireBreakGlassRules({ transaction, principal }, user);
  await requireStations(transaction, body);
  return insertUser(transaction, user);
}

async function replace(
  { transaction, principal }: RequestContext,
  id: number,
  body: UserBody,
): Promise<void> {
  requireWholeTenant(principal);
  const before = await readUser(transaction, id);
  const after = await userRecord(body, { before, ...(await contextOf(transaction)) });
  requireRank(principal, before.role);
  requireRank(principal, after.role);
  await requireBreakGlassRules({ transaction, principal }, after, before);
  await requireStations(transaction, body);
  await keepAnAdministrator(transaction, { id, before, after });
  await updateUser(transaction, id, after);
  const reason = revocationReason(before, after);
  if (reason !== undefined) await revokeSessions(transaction, { userId: id, reason });
  if (after.passwordHash !== undefined) await deletePasswordReset(transaction, id);
}

async function remove({ transaction, principal }: RequestContext, id: number): Promise<void> {
  requireWholeTenant(principal);
  const before = await readUser(transaction, id);
  requireRank(principal, before.role);
  await keepAnAdministrator(transaction, { id, before });
  const used = await findUseOfUser(transaction, id);
  if (used !== undefined) throw new ProblemError('conflict', `The user is named by ${used}`);
  await revokeApiKeysOf(transaction, id);
  await deleteUser(transaction, id);
}

async function contextOf(transaction: TenantTransaction) {
  const { name: tenantName } = await readTenantSettings(transaction);
  return { tenantName, confirmation: await confirmationByAdministrator(transaction) };
}

async function readUser(transaction: TenantTransaction, id: number): Promise<UserRow> {
  const user = await findUser(transaction, id, { stationIds: undefined, forUpdate: false });
  if (!user) throw notFound('user', id);
  return user;
}

function requireStations(transaction: TenantTransaction, { stationIds = [] }: UserBody): Promise<void> {
  const references = listReferences('/stationIds', stationIds).filter(({ id }) => id !== 0);
  // Callers limited to stations were refused before.
  return requireReferences(transaction, 'stations', { references, stationIds: undefined });
}
