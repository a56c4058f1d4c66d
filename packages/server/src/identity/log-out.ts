import type { Principal } from '../http/principal.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { revokeSession } from './session.store.ts';

/** Ends the session of the token. API keys and tokens of outside issuers have none: nothing happens to them. */
export async function logOut(
  { database, log }: Runtime,
  { tenantId, userId, sessionId }: Principal,
): Promise<void> {
  if (sessionId === undefined) return;
  await inTenant(database, tenantId, (transaction) => revokeSession(transaction, sessionId, 'logged out'));
  log.info({ tenantId, userId, sessionId }, 'logged out');
}
