import type { FastifyRequest } from 'fastify';
import type { AuditActor, AuditOrigin } from '../audit/audit-entry.ts';
import type { Principal } from './principal.ts';

const longestReason = 500;

/** Who sends a request, from where, and why if the request says so in `Audit-Reason`. */
export function auditOrigin(request: FastifyRequest): AuditOrigin {
  return {
    actor: actorOf(request.principal),
    address: request.ip,
    requestId: requestIdOf(request),
    reason: reasonOf(request),
  };
}

const nobody: AuditActor = { kind: 'anonymous', id: '', name: '' };

function actorOf(principal: Principal | undefined): AuditActor {
  if (!principal) return nobody;
  const { subject, name, outside } = principal;
  // The issuer may have vouched for somebody whom it should not have: the trail tells for whom, and who did.
  if (outside) return { kind: 'issuer', id: `${outside.issuer} ${outside.subject}`, name };
  const [kind, ...id] = subject.split(':');
  return { kind: kind === 'key' ? 'key' : 'user', id: id.join(':'), name };
}

/** The number that a proxy gave the request, so that it is found in the logs of both; else our own. */
function requestIdOf({ headers, id }: FastifyRequest): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\x21-\x7e]{1,64}$/.test(given) ? given : id;
}

function reasonOf({ headers, body }: FastifyRequest): string {
  const said = typeof body === 'object' && body !== null && 'reason' in body ? body.reason : undefined;
  const reason = said ?? headers['audit-reason'];
  return typeof reason === 'string' ? reason.slice(0, longestReason) : '';
}
