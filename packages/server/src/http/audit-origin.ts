import type { FastifyRequest } from 'fastify';
import type { AuditActor, AuditOrigin } from '../audit/audit-entry.ts';
import type { Principal } from './principal.ts';

const maxReasonLength = 500;

/** The author of a request, its network address, and its reason if it has an `Audit-Reason`. */
export function auditOrigin(request: FastifyRequest): AuditOrigin {
  return {
    actor: actorOf(request.principal),
    address: request.ip,
    requestId: requestIdOf(request),
    reason: reasonOf(request),
  };
}

const anonymous: AuditActor = { kind: 'anonymous', id: '', name: '' };

function actorOf(principal: Principal | undefined): AuditActor {
  if (!principal) return anonymous;
  const { subject, name, outside } = principal;
  // A compromised issuer could authenticate anyone, so the trail names the issuer and its subject.
  if (outside) return { kind: 'issuer', id: `${outside.issuer} ${outside.subject}`, name };
  const [kind, ...id] = subject.split(':');
  return { kind: kind === 'key' ? 'key' : 'user', id: id.join(':'), name };
}

/** The request id of a proxy, so that both logs have the same one; by default our own. */
function requestIdOf({ headers, id }: FastifyRequest): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\x21-\x7e]{1,64}$/.test(given) ? given : id;
}

function reasonOf({ headers, body }: FastifyRequest): string {
  const given = typeof body === 'object' && body !== null && 'reason' in body ? body.reason : undefined;
  const reason = given ?? headers['audit-reason'];
  return typeof reason === 'string' ? reason.slice(0, maxReasonLength) : '';
}
