import { appendAudit } from '../audit/audit.store.ts';
import type { AuditOrigin } from '../audit/audit-entry.ts';
import type { Principal } from '../http/principal.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { revokeSession } from './session.store.ts';

/** Ends the session of the token. API keys and tokens of outside issuers have none: nothing happens to them. */
export async function logOut(
  { database, log }: Runtime,
  { tenantId, userId, sessionId }: Principal,
  origin: AuditOrigin,
): Promise<void> {
  if (sessionId === undefined) return;
  const act = { action: 'session.close', object: { kind: 'session', id: sessionId } };
  await inTenant(database, tenantId, async (transaction) => {
    await revokeSession(transaction, sessionId, 'logged out');
    await appendAudit(transaction, [{ ...origin, ...act }], transaction.now);
  });
  log.info({ tenantId, userId, sessionId }, 'logged out');
}
