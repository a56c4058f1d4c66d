import type { Logger } from 'pino';
import { appendAudit } from '../audit/audit.store.ts';
import { systemOrigin } from '../audit/audit-entry.ts';
import { deleteSecondFactors } from '../identity/second-factors/second-factor-methods.store.ts';
import { findLogin } from '../identity/sessions/account.store.ts';
import { revokeSessions } from '../people/user-use.store.ts';
import { inTenant, outsideTenants } from '../postgres/tenant-transaction.ts';
import type { Config } from '../settings/config.ts';
import { CannotStart } from './cannot-start.ts';
import { openRuntime } from './open-runtime.ts';

const usage = 'reset-second-factors USER, or USER@TENANT';

/**
 * The command `reset-second-factors`, for an only administrator who has lost every device and code. The password stays.
 */
export async function resetSecondFactors(config: Config, log: Logger, args: string[]): Promise<void> {
  const [username, ...more] = args;
  if (username === undefined || more.length > 0) throw new CannotStart([`Name one user: ${usage}`]);
  const { database } = await openRuntime(config, log);
  try {
    const { login } = await outsideTenants(database, (outside) => findLogin(outside, username));
    if (!login) throw new CannotStart([`There is no user ${username}: ${usage}`]);
    const { tenantId, userId } = login;
    await inTenant(database, tenantId, async (transaction) => {
      await deleteSecondFactors(transaction, userId);
      await revokeSessions(transaction, { userId, reason: 'second factors reset' });
      const act = { action: 'second-factors.reset', object: { kind: 'user', id: String(userId) } };
      await appendAudit(transaction, [{ ...systemOrigin, ...act }], transaction.now);
    });
    log.info({ tenantId, userId }, 'second factors reset');
  } finally {
    await database.close();
  }
}
