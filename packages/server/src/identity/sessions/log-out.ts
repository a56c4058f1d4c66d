import { appendAudit } from '../../audit/audit.store.ts';
import type { AuditOrigin } from '../../audit/audit-entry.ts';
import type { Principal } from '../../http/principal.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { readRefreshToken } from './refresh-token.ts';
import { findSessionOfToken, revokeSession } from './session.store.ts';

/**
 * Ends the session of the token. API keys and OIDC tokens have no session, and stay valid. Answers whether the refresh
 * token in the cookie belongs to it: somebody else may have logged in since, in another tab.
 */
export async function logOut(
  { database, log }: Runtime,
  { tenantId, userId, sessionId }: Principal,
  { cookie, origin }: { cookie: string | undefined; origin: AuditOrigin },
): Promise<{ ownsCookie: boolean }> {
  if (sessionId === undefined) return { ownsCookie: false };
  const kept = cookie === undefined ? undefined : readRefreshToken(cookie);
  const act = { action: 'session.close', object: { kind: 'session', id: sessionId } };
  const ownsCookie = await inTenant(database, tenantId, async (transaction) => {
    await revokeSession(transaction, sessionId, 'logged out');
    await appendAudit(transaction, [{ ...origin, ...act }], transaction.now);
    if (kept?.tenantId !== tenantId) return false;
    return (await findSessionOfToken(transaction, kept.hash)) === sessionId;
  });
  log.info({ tenantId, userId, sessionId }, 'logged out');
  return { ownsCookie };
}
