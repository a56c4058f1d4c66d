import type { Principal } from '../http/principal.ts';
import { readTenant } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { findLinkedAccount } from './account.store.ts';
import type { BriefCache } from './brief-cache.ts';
import type { TrustedIssuer } from './oidc.ts';
import type { Refused } from './refused.ts';
import { userPrincipal } from './user-principal.ts';

/** The user of the issuer's own tenant whom an administrator has linked to the subject of the token. */
export async function authenticateOutsider(
  runtime: Runtime,
  recent: BriefCache<Principal | undefined>,
  { trusted, subject }: { trusted: TrustedIssuer; subject: string },
): Promise<Principal | Refused> {
  const principal = await recent(subject, () => findLinkedUser(runtime, trusted, subject));
  return principal ?? { refused: 'no enabled user is linked to the subject' };
}

async function findLinkedUser(
  { database, log }: Runtime,
  { issuer, tenantId }: TrustedIssuer,
  subject: string,
): Promise<Principal | undefined> {
  const account = await readTenant(database, tenantId, (transaction) =>
    findLinkedAccount(transaction, { issuer, subject }),
  );
  // Whoever links users needs to know by what: the token is genuine, and says it.
  if (!account) log.info({ issuer, tenantId, subject }, 'no user is linked to this subject of the issuer');
  if (account?.enabled !== true) return undefined;
  return { ...userPrincipal(tenantId, account, undefined), outside: { issuer, subject } };
}
