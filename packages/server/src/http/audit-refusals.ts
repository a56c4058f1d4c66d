import type { FastifyRequest } from 'fastify';
import { appendAudit } from '../audit/audit.store.ts';
import { createRefusalLimit } from '../audit/refusal-limit.ts';
import type { ProblemError } from '../common/problem.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import { auditOrigin } from './audit-origin.ts';
import { principalOf } from './authorization.ts';

/** Called for each refused request with a valid token. */
export type OnRefused = (request: FastifyRequest, problem: ProblemError) => Promise<void>;

/** Records refusals, once a minute for each principal and route. The request is refused in any case. */
export function createRefusalAudit({ database, log }: Runtime): OnRefused {
  const limit = createRefusalLimit();
  return async (request, problem) => {
    const { tenantId, subject } = principalOf(request);
    const route = `${request.method} ${request.routeOptions.url ?? ''}`;
    const counted = limit(`${tenantId} ${subject} ${route}`);
    if (!counted) return;
    const draft = {
      ...auditOrigin(request),
      action: 'request.refuse',
      object: { kind: 'request', id: route },
      reason: problem.message,
      after: counted,
    };
    try {
      await inTenant(database, tenantId, (transaction) => appendAudit(transaction, [draft], transaction.now));
    } catch (error) {
      log.error({ err: error, tenantId, subject, route }, 'refusal not written to the audit trail');
    }
  };
}
