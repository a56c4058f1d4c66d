import { listAudit } from '../audit/audit.store.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { readTenant } from '../postgres/tenant-transaction.ts';

/** The trail of a tenant, the oldest entry first. */
export async function trailOf({ database }: Runtime, tenantId = 1): Promise<AuditEntry[]> {
  const { rows } = await readTenant(database, tenantId, (transaction) =>
    listAudit(transaction, {}, { offset: 0, limit: 10_000, descending: false }),
  );
  return rows.map(({ entry }) => entry);
}

/** A summary such as `user:7 session.open session`, without the parts that differ between runs. */
export function inShort({ actor, action, object }: AuditEntry): string {
  const by = actor.id === '' ? actor.kind : `${actor.kind}:${actor.id}`;
  return `${by} ${action} ${object.kind}`;
}
