import { appendAudit } from '../audit/audit.store.ts';
import type { AuditOrigin } from '../audit/audit-entry.ts';
import type { RefusalLimit } from '../audit/refusal-limit.ts';
import { inTenant, outsideTenants, readTenant } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { type Account, findAccount, findLogin, findPasswordHash, type Login } from './account.store.ts';
import { forgiveLoginFailures } from './login-delay.store.ts';
import { countLoginFailure, refuseWhileDelayed } from './login-failures.ts';
import { loginSubjects } from './login-subjects.ts';
import { verifyPassword } from './password.ts';
import { insertSession } from './session.store.ts';
import { type Entered, giveAccessToken, giveRefreshToken, sessionExpiry } from './session-tokens.ts';
import type { Turns } from './turns.ts';

export type LoginAttempt = { username: string; password: string; origin: AuditOrigin };

export type LoginRules = { turns: Turns; refusalLimit: RefusalLimit; sessionHours: number };

/** Passwords hashed at once, so that a flood of log-ins leaves threads for everything else. */
const hashesAtOnce = 3;
const nobody: Login = { tenantId: 0, userId: 0 };

/**
 * Opens a session for who knows the password; undefined for who does not, whatever the reason, after the same
 * work. Log-ins of one name from one network take turns: guessing in parallel must not outrun the count of failures,
 * nor may a crowd elsewhere keep the line of a name full.
 */
export async function logIn(
  { database, log, box }: Runtime,
  { turns, refusalLimit, sessionHours }: LoginRules,
  { username, password, origin }: LoginAttempt,
): Promise<Entered | undefined> {
  const { address } = origin;
  const { countedName, login } = await outsideTenants(database, (outside) => findLogin(outside, username));
  const subjects = loginSubjects(countedName, address);
  const places = [
    { subject: subjects.address, atOnce: 2 },
    { subject: subjects.nameThere, atOnce: 1 },
    { subject: 'everybody', atOnce: hashesAtOnce },
  ];

  return turns(places, async () => {
    await refuseWhileDelayed(database, subjects);
    const { tenantId } = login ?? nobody;
    const account = await checkPassword({ database }, login ?? nobody, password);
    if (!account) {
      await countLoginFailure(database, subjects);
      // Not waited for: how long the answer takes must not tell whether there is such a user.
      if (login) void auditRefusal({ database, log }, { login, origin, refusalLimit });
      log.info({ ...login, address }, 'log-in refused');
      return undefined;
    }
    const session = await inTenant(database, tenantId, async (transaction) => {
      const sessionId = crypto.randomUUID();
      const { userId } = account;
      await forgiveLoginFailures(transaction, subjects);
      const { now } = transaction;
      const expiresAt = sessionExpiry(now, { now, hours: sessionHours });
      await insertSession(transaction, { id: sessionId, userId, expiresAt });
      const opened = await giveRefreshToken(transaction, { sessionId, account, expiresAt });
      const actor = { kind: 'user' as const, id: String(userId), name: account.name };
      const act = { action: 'session.open', object: { kind: 'session', id: sessionId } };
      await appendAudit(transaction, [{ ...origin, ...act, actor }], now);
      return opened;
    });
    log.info({ ...login, sessionId: session.sessionId }, 'logged in');
    return giveAccessToken({ database, box }, session);
  });
}

/**
 * Once a minute for each user, so that guessing cannot fill the trail. Names that nobody has belong to no tenant: of those only
 * the log tells.
 */
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
    log.error({ err: error, ...login }, 'a refused log-in was not written to the audit trail'),
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
