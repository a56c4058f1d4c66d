import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalid, ProblemError } from '../common/problem.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, readTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { type AuditChange, auditChange } from './audit-change.ts';
import { principalOf } from './authorization.ts';
import { claimIdempotencyKey, keepAnswer, type RequestMark } from './idempotency.store.ts';

/** The result of a use case: the body, and headers that a repeated request must get again. */
export type Answer<Body> = {
  body: Body;
  headers?: Record<string, string>;
  /** The entry for the audit trail; required for routes whose audit rule names an action. */
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
 * Answers a request that changes something, in one transaction. With an `Idempotency-Key` the first answer is stored in
 * the same transaction and returned for every repetition of the request.
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

/** A change without the required entry is rolled back. */
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

const secretMembers: ReadonlySet<string> = new Set([
  'password',
  'currentPassword',
  'pin',
  'code',
  'badge',
  'clientSecret',
  'bindPassword',
]);

/** The idempotency key of the request with a hash of its content; undefined without a key. */
export function requestMark(request: FastifyRequest): RequestMark | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e][\x20-\x7e]{0,254}$/.test(key)) {
    throw invalid('Idempotency-Key', 'must be 1 to 255 printable characters');
  }
  // A stored hash must not help to guess passwords, PINs and codes.
  const withoutSecrets = (name: string, value: unknown) => (secretMembers.has(name) ? undefined : value);
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
