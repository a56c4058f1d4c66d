import type { Principal } from '../http/principal.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { readTenant } from '../postgres/tenant-transaction.ts';
import { findLinkedAccount } from './sessions/account.store.ts';
import type { TrustedIssuer } from './tokens/oidc.ts';
import type { ShortLivedCache } from './tokens/short-lived-cache.ts';
import type { TokenRejection } from './tokens/token-rejection.ts';
import { userPrincipal } from './user-principal.ts';

/** Finds the user of the issuer's tenant that an administrator has linked to the token's subject. */
export async function authenticateOidcUser(
  runtime: Runtime,
  cache: ShortLivedCache<Principal | undefined>,
  { trusted, subject }: { trusted: TrustedIssuer; subject: string },
): Promise<Principal | TokenRejection> {
  const principal = await cache(subject, () => findLinkedUser(runtime, trusted, subject));
  return principal ?? { rejected: 'no enabled user is linked to the subject' };
}

async function findLinkedUser(
  { database, log }: Runtime,
  { issuer, tenantId }: TrustedIssuer,
  subject: string,
): Promise<Principal | undefined> {
  const account = await readTenant(database, tenantId, (transaction) =>
    findLinkedAccount(transaction, { issuer, subject }),
  );
  // An administrator needs the subject to link a user. The token is genuine, so it can be logged.
  if (!account) log.info({ issuer, tenantId, subject }, 'no user is linked to this subject of the issuer');
  if (account?.enabled !== true) return undefined;
  return { ...userPrincipal(tenantId, account, undefined), outside: { issuer, subject } };
}
