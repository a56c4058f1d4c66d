import { appendAudit } from '../../audit/audit.store.ts';
import type { AuditOrigin } from '../../audit/audit-entry.ts';
import type { RefusalLimit } from '../../audit/refusal-limit.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, outsideTenants, readTenant } from '../../postgres/tenant-transaction.ts';
import { type Account, findAccount, findLogin, findPasswordHash, type Login } from './account.store.ts';
import { clearLoginFailures } from './login-delay.store.ts';
import { countLoginFailure, refuseWhileDelayed } from './login-failures.ts';
import type { LoginQueue } from './login-queue.ts';
import { loginSubjects } from './login-subjects.ts';
import { verifyPassword } from './password.ts';
import { insertSession } from './session.store.ts';
import { issueLoginTokens, issueRefreshToken, type LoginTokens, sessionExpiry } from './session-tokens.ts';

export type LoginAttempt = {
  username: string;
  password: string;
  /** Whether a browser keeps the refresh token in a cookie. */
  inCookie: boolean;
  /** The program of the user, as it names itself. */
  device: string;
  origin: AuditOrigin;
};

export type LoginRules = { queue: LoginQueue; refusalLimit: RefusalLimit; sessionHours: number };

/** Passwords that are hashed at a time, so that a flood of log-ins leaves threads for other work. */
const maxConcurrentHashes = 3;
const noUser: Login = { tenantId: 0, userId: 0 };

/**
 * Opens a session if the password is right; undefined otherwise, for any reason and after the same work. Log-ins of one
 * name from one network run one after the other, so that parallel guesses cannot outrun the count of failures, and other
 * networks cannot fill the queue of a name.
 */
export async function logIn(
  { database, log, box }: Runtime,
  { queue, refusalLimit, sessionHours }: LoginRules,
  { username, password, inCookie, device, origin }: LoginAttempt,
): Promise<LoginTokens | undefined> {
  const { address } = origin;
  const { failureSubject, login } = await outsideTenants(database, (outside) => findLogin(outside, username));
  const subjects = loginSubjects(failureSubject, address);
  const limits = [
    { key: subjects.address, maxConcurrent: 2 },
    { key: subjects.nameInNetwork, maxConcurrent: 1 },
    { key: 'everybody', maxConcurrent: maxConcurrentHashes },
  ];

  return queue(limits, async () => {
    await refuseWhileDelayed(database, subjects);
    const { tenantId } = login ?? noUser;
    const account = await checkPassword({ database }, login ?? noUser, password);
    if (!account) {
      await countLoginFailure(database, subjects);
      // Not awaited: the response time must not reveal whether the user exists.
      if (login) void auditRefusal({ database, log }, { login, origin, refusalLimit });
      log.info({ ...login, address }, 'log-in refused');
      return undefined;
    }
    const session = await inTenant(database, tenantId, async (transaction) => {
      const sessionId = crypto.randomUUID();
      const { userId } = account;
      await clearLoginFailures(transaction, subjects);
      const { now } = transaction;
      const expiresAt = sessionExpiry(now, { now, hours: sessionHours });
      await insertSession(transaction, { id: sessionId, userId, expiresAt, device, address });
      const opened = await issueRefreshToken(transaction, {
        sessionId,
        account,
        expiresAt,
        inCookie,
        generation: 0,
      });
      const actor = { kind: 'user' as const, id: String(userId), name: account.name };
      const act = { action: 'session.open', object: { kind: 'session', id: sessionId } };
      await appendAudit(transaction, [{ ...origin, ...act, actor }], now);
      return opened;
    });
    log.info({ ...login, sessionId: session.sessionId }, 'logged in');
    return issueLoginTokens({ database, box }, session);
  });
}

/** At most once a minute for each user, so that guessing cannot fill the trail. Unknown names appear in the log only. */
async function auditRefusal(
  { database, log }: Pick<Runtime, 'database' | 'log'>,
  { login, origin, refusalLimit }: { login: Login; origin: AuditOrigin; refusalLimit: RefusalLimit },
): Promise<void> {
  const { tenantId, userId } = login;
  const after = refusalLimit(`${tenantId} user:${userId}`);
  if (!after) return;
  const act = { action: 'session.refuse', object: { kind: 'user', id: String(userId) }, after };
  const reason = 'wrong password, or the user is disabled or has none';
  await inTenant(database, tenantId, (transaction) =>
    appendAudit(transaction, [{ ...origin, ...act, reason }], transaction.now),
  ).catch((error: unknown) =>
    log.error({ err: error, ...login }, 'refused log-in not written to the audit trail'),
  );
}

async function checkPassword(
  { database }: Pick<Runtime, 'database'>,
  { tenantId, userId }: Login,
  password: string,
): Promise<Account | undefined> {
  const { account, hash } = await readTenant(database, tenantId, async (transaction) => ({
    account: await findAccount(transaction, userId),
    hash: await findPasswordHash(transaction, userId),
  }));
  const matches = await verifyPassword(password, hash);
  return matches && account?.enabled === true ? account : undefined;
}
