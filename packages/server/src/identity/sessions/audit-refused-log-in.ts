import { appendAudit } from '../../audit/audit.store.ts';
import type { AuditOrigin } from '../../audit/audit-entry.ts';
import type { RefusalLimit } from '../../audit/refusal-limit.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import type { Login } from './account.store.ts';

type RefusedLogin = { login: Login; origin: AuditOrigin; reason: string; refusalLimit: RefusalLimit };

/** At most once a minute for each user, so that guessing cannot fill the trail. Unknown names appear in the log only. */
export async function auditRefusedLogin(
  { database, log }: Pick<Runtime, 'database' | 'log'>,
  { login, origin, reason, refusalLimit }: RefusedLogin,
): Promise<void> {
  const { tenantId, userId } = login;
  const after = refusalLimit(`${tenantId} user:${userId}`);
  if (!after) return;
  const act = { action: 'session.refuse', object: { kind: 'user', id: String(userId) }, after };
  await inTenant(database, tenantId, (transaction) =>
    appendAudit(transaction, [{ ...origin, ...act, reason }], transaction.now),
  ).catch((error: unknown) =>
    log.error({ err: error, ...login }, 'refused log-in not written to the audit trail'),
  );
}
