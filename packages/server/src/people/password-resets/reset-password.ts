import { timingSafeEqual } from 'node:crypto';
import { appendAudit } from '../../audit/audit.store.ts';
import type { AuditOrigin } from '../../audit/audit-entry.ts';
import { ProblemError } from '../../common/problem.ts';
import { findLogin, type Login } from '../../identity/sessions/account.store.ts';
import { countLoginFailure, refuseWhileDelayed } from '../../identity/sessions/login-failures.ts';
import type { LoginQueue } from '../../identity/sessions/login-queue.ts';
import { loginSubjects } from '../../identity/sessions/login-subjects.ts';
import { hashPassword } from '../../identity/sessions/password.ts';
import { requireStrongPassword } from '../../identity/sessions/weak-password.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, outsideTenants, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import {
  countWrongReset,
  deletePasswordReset,
  lockPasswordReset,
  type PasswordResetRow,
} from '../password-reset.store.ts';
import { readTenantSettings } from '../tenant.store.ts';
import { hashTypedCode } from '../typed-code.ts';
import { findUser, savePasswordHash, type UserRow } from '../user.store.ts';
import { revokeSessions } from '../user-use.store.ts';

export type PasswordResetAttempt = {
  readonly username: string;
  readonly code: string;
  readonly password: string;
  readonly origin: AuditOrigin;
};

const allowedFailures = 5;
/** Is compared if there is no code. */
const noCode = Buffer.alloc(32);
const nobody: Login = { tenantId: 0, userId: 0 };

/**
 * Sets the password of a user who has a valid code, and ends all their sessions. Unknown users, wrong and expired codes
 * get the same answer after the same work: the password is hashed first, which takes most of the time.
 */
export async function resetPassword(
  { database, log }: Runtime,
  queue: LoginQueue,
  { username, code, password, origin }: PasswordResetAttempt,
): Promise<void> {
  const { address } = origin;
  const { failureSubject, login } = await outsideTenants(database, (outside) => findLogin(outside, username));
  const subjects = loginSubjects(`new password of ${failureSubject}`, address);
  const limits = [
    { key: subjects.address, maxConcurrent: 2 },
    { key: 'everybody', maxConcurrent: 2 },
  ];
  await queue(limits, async () => {
    await refuseWhileDelayed(database, subjects);
    const passwordHash = await hashPassword(password);
    const { tenantId, userId } = login ?? nobody;
    const isDone = await inTenant(database, tenantId, async (transaction) => {
      const user = await checkCode(transaction, userId, code);
      if (!user) return false;
      await requireStrong(transaction, user, password);
      await setPassword(transaction, user, { passwordHash, origin });
      return true;
    });
    if (isDone) return log.info({ tenantId, userId, address }, 'password reset by code');
    await countLoginFailure(database, subjects);
    log.info({ ...login, address }, 'password reset refused');
    throw new ProblemError(
      'not-allowed',
      'The user name or the code is wrong, or the code has expired or was tried too often; ask an administrator for a new one',
    );
  });
}

/** The user whose code it is; undefined and counted otherwise. */
async function checkCode(
  transaction: TenantTransaction,
  userId: number,
  code: string,
): Promise<UserRow | undefined> {
  const kept = await lockPasswordReset(transaction, userId);
  const matches = timingSafeEqual(kept?.codeHash ?? noCode, hashTypedCode(code));
  if (kept && matches && isUsable(kept, transaction.now)) {
    const user = await findUser(transaction, userId, { stationIds: undefined, forUpdate: true });
    if (user?.enabled === true) return user;
  }
  // Without a code this changes no row, but takes the time.
  await countWrongReset(transaction, userId);
  return undefined;
}

/** A code with too many failures is not accepted any more, even if it is right. */
function isUsable({ failures, expiresAt }: PasswordResetRow, now: Date): boolean {
  return failures < allowedFailures && expiresAt > now;
}

async function requireStrong(
  transaction: TenantTransaction,
  { username, name }: UserRow,
  password: string,
): Promise<void> {
  const { name: tenantName } = await readTenantSettings(transaction);
  requireStrongPassword(password, [username, name, tenantName]);
}

async function setPassword(
  transaction: TenantTransaction,
  { id, name }: UserRow,
  { passwordHash, origin }: { passwordHash: string; origin: AuditOrigin },
): Promise<void> {
  await savePasswordHash(transaction, id, passwordHash);
  await deletePasswordReset(transaction, id);
  await revokeSessions(transaction, { userId: id, reason: 'password reset' });
  const actor = { kind: 'user' as const, id: String(id), name };
  const act = { action: 'user-password.reset', object: { kind: 'user', id: String(id) } };
  await appendAudit(transaction, [{ ...origin, ...act, actor }], transaction.now);
}
