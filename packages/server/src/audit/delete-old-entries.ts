import type { Runtime } from '../postgres/runtime.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import { appendAudit, deleteAuditEntries } from './audit.store.ts';
import { systemOrigin } from './audit-entry.ts';
import { deleteAuditHeads } from './audit-head.store.ts';
import { deletionAction } from './verify-trail.ts';

const batchSize = 10_000;

/** Deletes entries of a tenant that are older than the retention, and records that in the trail. 0 months keep all entries. */
export async function deleteOldEntries(
  { database, log }: Runtime,
  tenantId: number,
  months: number,
): Promise<void> {
  if (months === 0) return;
  for (;;) {
    const through = await inTenant(database, tenantId, async (transaction) => {
      const deleted = await deleteAuditEntries(transaction, monthsBefore(transaction.now, months), batchSize);
      if (!deleted) return undefined;
      await deleteAuditHeads(transaction, deleted.number);
      const after = { through: deleted.number, hash: deleted.hash };
      const act = { action: deletionAction, object: { kind: 'audit', id: '' }, after };
      await appendAudit(transaction, [{ ...systemOrigin, ...act }], transaction.now);
      return deleted.number;
    });
    if (through === undefined) return;
    log.info({ tenantId, through }, 'old audit entries deleted');
  }
}

export function monthsBefore(now: Date, months: number): Date {
  const then = new Date(now);
  then.setUTCMonth(then.getUTCMonth() - months);
  return then;
}
