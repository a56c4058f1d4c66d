import type { FastifyRequest } from 'fastify';
import { appendAudit } from '../audit/audit.store.ts';
import type { AuditDraft } from '../audit/audit-entry.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { auditOrigin } from './audit-origin.ts';

/** The change to the object that the audit rule of the route names. Holds no secrets. */
export type AuditChange = { id: number | string; before?: unknown; after?: unknown };

/** The entry for a change, according to the audit rule of the route. */
export function auditDraft(request: FastifyRequest, { id, before, after }: AuditChange): AuditDraft {
  const { method, url, config } = request.routeOptions;
  const rule = config.audit;
  if (typeof rule !== 'object') throw new Error(`${String(method)} ${url} has no action for the audit trail`);
  const object = { kind: rule.object, id: String(id) };
  return { ...auditOrigin(request), action: rule.action, object, before, after };
}

/** Appends the change to the trail. It must be the last statement of the transaction. */
export function auditChange(
  transaction: TenantTransaction,
  request: FastifyRequest,
  change: AuditChange,
): Promise<void> {
  return appendAudit(transaction, [auditDraft(request, change)], transaction.now);
}
