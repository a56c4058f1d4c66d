import type { Principal } from '../http/principal.ts';
import { readTenant } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import type { AccessClaims } from './access-token.ts';
import type { BriefCache } from './brief-cache.ts';
import type { Refused } from './refused.ts';
import { findSession } from './session.store.ts';
import { userPrincipal } from './user-principal.ts';

/** A session with what its user may do, as both were a moment ago. */
export type KnownSession = {
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly enabled: boolean;
  readonly principal: Principal;
};

/** The user of a genuine access token as the user is now: the token itself says nothing about rights. */
export async function authenticateSession(
  { database }: Runtime,
  recent: BriefCache<KnownSession | undefined>,
  { claims, now }: { claims: AccessClaims; now: Date },
): Promise<Principal | Refused> {
  const { tenantId, userId, sessionId } = claims;
  const session = await recent(`${tenantId}:${sessionId}`, () =>
    readTenant(database, tenantId, async (transaction): Promise<KnownSession | undefined> => {
      const found = await findSession(transaction, sessionId);
      if (!found) return undefined;
      const { expiresAt, revokedAt, account } = found;
      const principal = userPrincipal(tenantId, account, sessionId);
      return { expiresAt, revokedAt, enabled: account.enabled, principal };
    }),
  );
  if (!session || session.principal.userId !== userId) return { refused: 'there is no such session' };
  if (session.revokedAt) return { refused: 'the session was revoked' };
  if (session.expiresAt <= now) return { refused: 'the session has expired' };
  if (!session.enabled) return { refused: 'the user is disabled' };
  return session.principal;
}
