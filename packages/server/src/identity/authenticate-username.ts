import type { Principal } from '../http/principal.ts';
import { outsideTenants, readTenant } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { findAccount, findLogin } from './account.store.ts';
import type { BriefCache } from './brief-cache.ts';
import type { Refused } from './refused.ts';
import { userPrincipal } from './user-principal.ts';

/** The local user an outside issuer vouches for. */
export async function authenticateUsername(
  runtime: Runtime,
  recent: BriefCache<Principal | undefined>,
  username: string,
): Promise<Principal | Refused> {
  const principal = await recent(username, () => findEnabledUser(runtime, username));
  return principal ?? { refused: 'there is no such user, or the user is disabled' };
}

async function findEnabledUser({ database }: Runtime, username: string): Promise<Principal | undefined> {
  const { login } = await outsideTenants(database, (outside) => findLogin(outside, username));
  if (!login) return undefined;
  const { tenantId, userId } = login;
  const account = await readTenant(database, tenantId, (transaction) => findAccount(transaction, userId));
  return account?.enabled === true ? userPrincipal(tenantId, account, undefined) : undefined;
}
