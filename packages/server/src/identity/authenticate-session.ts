import type { Principal } from '../http/principal.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { readTenant } from '../postgres/tenant-transaction.ts';
import { limitAtDesk } from './limit-at-desk.ts';
import { findSession } from './sessions/session.store.ts';
import type { AccessClaims } from './tokens/access-token.ts';
import type { ShortLivedCache } from './tokens/short-lived-cache.ts';
import type { TokenRejection } from './tokens/token-rejection.ts';
import { userPrincipal } from './user-principal.ts';

/** A session and the rights of its user, as they were at the last read. */
export type CachedSession = {
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly enabled: boolean;
  readonly principal: Principal;
};

/** Finds the user of a verified access token. Their rights come from the database, never from the token. */
export async function authenticateSession(
  { database }: Runtime,
  cache: ShortLivedCache<CachedSession | undefined>,
  { claims, now }: { claims: AccessClaims; now: Date },
): Promise<Principal | TokenRejection> {
  const { tenantId, userId, sessionId } = claims;
  const read = () =>
    readTenant(database, tenantId, async (transaction): Promise<CachedSession | undefined> => {
      const found = await findSession(transaction, sessionId);
      if (!found) return undefined;
      const { expiresAt, revokedAt, account, lacksSecondFactor } = found;
      const user = { ...userPrincipal(tenantId, account, sessionId), lacksSecondFactor };
      const principal = limitAtDesk(user, found);
      return { expiresAt, revokedAt, enabled: account.enabled, principal };
    });
  const cached = await cache(`${tenantId}:${sessionId}`, read);
  // A user who has just set up their second factor goes on at once.
  const session = cached?.principal.lacksSecondFactor === true ? await read() : cached;
  if (!session || session.principal.userId !== userId) return { rejected: 'there is no such session' };
  if (session.revokedAt) return { rejected: 'the session was revoked' };
  if (session.expiresAt <= now) return { rejected: 'the session has expired' };
  if (!session.enabled) return { rejected: 'the user is disabled' };
  return session.principal;
}
