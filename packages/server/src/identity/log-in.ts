import { inTenant, outsideTenants, readTenant } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { type Account, findAccount, findLogin, findPasswordHash, type Login } from './account.store.ts';
import { clearLoginFailures } from './login-delay.store.ts';
import { countLoginFailure, refuseWhileDelayed } from './login-failures.ts';
import { loginSubjects } from './login-subjects.ts';
import { verifyPassword } from './password.ts';
import { insertSession } from './session.store.ts';
import { type Entered, giveAccessToken, giveRefreshToken, sessionExpiry } from './session-tokens.ts';
import type { Turns } from './turns.ts';

export type LoginAttempt = { username: string; password: string; address: string };

/** Passwords hashed at once, so that a flood of log-ins leaves threads for everything else. */
const hashesAtOnce = 3;
const nobody: Login = { tenantId: 0, userId: 0 };

/**
 * Opens a session for who knows the password; undefined for who does not, whatever the reason, after the same
 * work. Log-ins of one name take turns: guessing in parallel must not outrun the count of failures.
 */
export async function logIn(
  { database, log }: Runtime,
  turns: Turns,
  { username, password, address }: LoginAttempt,
): Promise<Entered | undefined> {
  const { usernameKey, login } = await outsideTenants(database, (outside) => findLogin(outside, username));
  const subjects = loginSubjects(usernameKey, address);
  const places = [
    { subject: subjects.address, atOnce: 2 },
    { subject: subjects.name, atOnce: 1 },
    { subject: 'everybody', atOnce: hashesAtOnce },
  ];

  return turns(places, async () => {
    await refuseWhileDelayed(database, subjects);
    const { tenantId } = login ?? nobody;
    const account = await checkPassword({ database }, login ?? nobody, password);
    if (!account) {
      await countLoginFailure(database, subjects);
      log.info({ ...login, address }, 'log-in refused');
      return undefined;
    }
    const session = await inTenant(database, tenantId, async (transaction) => {
      const sessionId = crypto.randomUUID();
      const { userId } = account;
      await clearLoginFailures(transaction, subjects.name);
      await insertSession(transaction, { id: sessionId, userId, expiresAt: sessionExpiry(transaction.now) });
      return giveRefreshToken(transaction, { sessionId, account });
    });
    log.info({ ...login, sessionId: session.sessionId }, 'logged in');
    return giveAccessToken(database, session);
  });
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
