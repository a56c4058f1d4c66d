import type { GroupRole, Role, SignInProblem } from '@tocsin/contract';
import type { Logger } from 'pino';
import { appendAudit } from '../audit/audit.store.ts';
import type { AuditOrigin } from '../audit/audit-entry.ts';
import { ProblemError } from '../common/problem.ts';
import { type Account, findLinkedAccount, findPasswordHash } from '../identity/sessions/account.store.ts';
import { findUser, insertUser, updateUser } from '../people/user.store.ts';
import { keepAnAdministrator } from '../people/user-rules.ts';
import { revokeSessions } from '../people/user-use.store.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { lockWrites } from '../postgres/write-lock.ts';
import { roleOfGroups } from './group-role.ts';
import { actorOfPerson, namesOf, type OutsidePerson } from './outside-person.ts';
import { isNameTaken } from './outside-user.store.ts';

export type AdmissionRules = {
  readonly groupRoles: readonly GroupRole[];
  /** Whether a person without a user, but with a matching group, gets one. */
  readonly createUsers: boolean;
  /** Whether names of groups have no case, as in directories. */
  readonly anyCase: boolean;
};

type Circumstances = { rules: AdmissionRules; origin: AuditOrigin; log: Logger };

export type Admission = { account: Account } | { refused: SignInProblem };

/**
 * Finds the user of a person whom an issuer or a directory has authenticated, and gives them the role of their groups. A
 * person without a user gets one if the rules say so. Users with a password of this server keep their role: an issuer
 * must not be able to change the accounts that are left when it fails.
 */
export async function admitPerson(
  transaction: TenantTransaction,
  person: OutsidePerson,
  circumstances: Circumstances,
): Promise<Admission> {
  await lockWrites(transaction, 'users');
  const { groupRoles, anyCase } = circumstances.rules;
  const role = roleOfGroups(groupRoles, person.groups, { anyCase });
  const linked = await findLinkedAccount(transaction, person);
  if (!linked) return addUser(transaction, person, { ...circumstances, role });
  if (!linked.enabled) return { refused: 'user-disabled' };
  if (role === undefined || role === linked.role || linked.breakGlass) return { account: linked };
  if ((await findPasswordHash(transaction, linked.userId)) !== null) return { account: linked };
  return changeRole(transaction, person, { ...circumstances, role, linked });
}

async function addUser(
  transaction: TenantTransaction,
  person: OutsidePerson,
  { rules, origin, role }: Circumstances & { role: Role | undefined },
): Promise<Admission> {
  if (role === undefined || !rules.createUsers) return { refused: 'no-user' };
  const { username, name } = namesOf(person);
  if (await isNameTaken(transaction, username)) return { refused: 'name-taken' };
  const { issuer, subject } = person;
  const userId = await insertUser(transaction, {
    username,
    name,
    role,
    stationIds: [],
    enabled: true,
    language: '',
    media: [],
    identities: [{ issuer, subject }],
    passwordHash: undefined,
    breakGlass: false,
  });
  const act = { action: 'user.create', object: { kind: 'user', id: String(userId) } };
  const after = { id: userId, username, name, role, identities: [{ issuer, subject }] };
  const actor = actorOfPerson(person);
  await appendAudit(transaction, [{ ...origin, ...act, actor, after }], transaction.now);
  return { account: { userId, name, role, stationIds: [], enabled: true, breakGlass: false } };
}

async function changeRole(
  transaction: TenantTransaction,
  person: OutsidePerson,
  { origin, log, role, linked }: Circumstances & { role: Role; linked: Account },
): Promise<Admission> {
  const { userId: id } = linked;
  const { tenantId, now } = transaction;
  const before = await findUser(transaction, id, { stationIds: undefined, forUpdate: true });
  if (!before) return { refused: 'no-user' };
  const after = { ...before, role };
  if (!(await leavesAnAdministrator(transaction, { id, before, after }))) {
    log.warn({ tenantId, userId: id, role }, 'the last administrator keeps the role, whatever their groups');
    return { account: linked };
  }
  await updateUser(transaction, id, { ...after, identities: undefined, passwordHash: undefined });
  await revokeSessions(transaction, { userId: id, reason: 'role changed' });
  const act = { action: 'user.change', object: { kind: 'user', id: String(id) } };
  const change = { before: { role: before.role }, after: { role } };
  const reason = 'groups of the person';
  await appendAudit(
    transaction,
    [{ ...origin, ...act, ...change, reason, actor: actorOfPerson(person) }],
    now,
  );
  return { account: { ...linked, role } };
}

async function leavesAnAdministrator(
  transaction: TenantTransaction,
  change: Parameters<typeof keepAnAdministrator>[1],
): Promise<boolean> {
  try {
    await keepAnAdministrator(transaction, change);
    return true;
  } catch (error) {
    if (error instanceof ProblemError) return false;
    throw error;
  }
}
