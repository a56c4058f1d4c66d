import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inTenant, readTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { invalid, ProblemError } from '../problem.ts';
import type { Runtime } from '../runtime.ts';
import { type AuditChange, auditChange } from './audit-change.ts';
import { principalOf } from './authorization.ts';
import { claimIdempotencyKey, keepAnswer, type RequestMark } from './idempotency.store.ts';

/** What a use case answers: the body, and headers that a repeated request must get again. */
export type Answer<Body> = {
  body: Body;
  headers?: Record<string, string>;
  /** What the audit trail is told. Routes whose audit rule names an action must say it. */
  audit?: AuditChange;
};

/** Answers a GET from one snapshot of the caller's tenant. */
export function answerRead<Body>(
  runtime: Runtime,
  request: FastifyRequest,
  work: (transaction: TenantTransaction) => Promise<Body>,
): Promise<Body> {
  return readTenant(runtime.database, principalOf(request).tenantId, work);
}

/**
 * Answers a request that changes something, in one transaction. With an `Idempotency-Key` the first answer is
 * kept in that same transaction and given again to every repetition of the request.
 */
export async function answerWrite<Body>(
  runtime: Runtime,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  work: (transaction: TenantTransaction) => Promise<Answer<Body>>,
): Promise<Body> {
  const principal = principalOf(request);
  const mark = requestMark(request);
  const answer = await inTenant(runtime.database, principal.tenantId, async (transaction) => {
    const kept = mark && (await claimIdempotencyKey(transaction, mark));
    if (mark && kept) {
      refuseOtherRequest(kept.requestHash, mark);
      return { body: kept.answer.body as Body, headers: kept.answer.headers };
    }
    const fresh = await work(transaction);
    if (mark)
      await keepAnswer(transaction, mark, { status: 200, headers: fresh.headers ?? {}, body: fresh.body });
    await audit(transaction, request, fresh.audit);
    return fresh;
  });
  if (answer.headers) reply.headers(answer.headers);
  return answer.body;
}

/** A route cannot forget its entry: without one its change is undone. */
async function audit(
  transaction: TenantTransaction,
  request: FastifyRequest,
  change: AuditChange | undefined,
): Promise<void> {
  const { method, url, config } = request.routeOptions;
  if (change) return auditChange(transaction, request, change);
  if (typeof config.audit === 'object')
    throw new Error(`${String(method)} ${url} does not say what to write to the audit trail`);
}

/** The request's idempotency key with a hash of what it asks, or undefined when it carries none. */
export function requestMark(request: FastifyRequest): RequestMark | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e][\x20-\x7e]{0,254}$/.test(key)) {
    throw invalid('Idempotency-Key', 'must be 1 to 255 printable characters');
  }
  // A hash that is kept must not be a way to guess passwords.
  const withoutSecrets = (name: string, value: unknown) => (name === 'password' ? undefined : value);
  const asked = JSON.stringify([request.method, request.url, request.body ?? null], withoutSecrets);
  return {
    principal: principalOf(request).subject,
    key,
    requestHash: createHash('sha256').update(asked).digest(),
  };
}

function refuseOtherRequest(requestHash: Buffer, mark: RequestMark): void {
  if (requestHash.equals(mark.requestHash)) return;
  throw new ProblemError('idempotency-key-reused', `The key ${mark.key} was used for another request`);
}
