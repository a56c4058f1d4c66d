import { inTenant } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { appendAudit, forgetAudit } from './audit.store.ts';
import { systemOrigin } from './audit-entry.ts';
import { forgetAction } from './verify-trail.ts';

const entriesAtOnce = 10_000;

/** Removes entries of a tenant that are older than the retention, and says so in the trail itself. 0 months keep them all. */
export async function forgetOldEntries(
  { database, log }: Runtime,
  tenantId: number,
  months: number,
): Promise<void> {
  if (months === 0) return;
  for (;;) {
    const through = await inTenant(database, tenantId, async (transaction) => {
      const removed = await forgetAudit(transaction, monthsBefore(transaction.now, months), entriesAtOnce);
      if (!removed) return undefined;
      const after = { through: removed.number, hash: removed.hash };
      const act = { action: forgetAction, object: { kind: 'audit', id: '' }, after };
      await appendAudit(transaction, [{ ...systemOrigin, ...act }], transaction.now);
      return removed.number;
    });
    if (through === undefined) return;
    log.info({ tenantId, through }, 'old audit entries removed');
  }
}

function monthsBefore(now: Date, months: number): Date {
  const then = new Date(now);
  then.setUTCMonth(then.getUTCMonth() - months);
  return then;
}
