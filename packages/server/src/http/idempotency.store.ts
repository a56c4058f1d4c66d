import type { Statement } from '../postgres/statement.ts';
import type { BareTransaction, TenantTransaction } from '../postgres/tenant-transaction.ts';

/** An answer stored for retries; `body` is the JSON value that the client got. */
export type StoredAnswer = { status: number; headers: Record<string, string>; body: unknown };

export type RequestMark = { principal: string; key: string; requestHash: Buffer };

/**
 * Claims the key for this transaction, and waits while another transaction holds it. Returns undefined for a new key, or
 * the stored answer with the hash of its request.
 */
export async function claimIdempotencyKey(
  transaction: TenantTransaction,
  { principal, key, requestHash }: RequestMark,
): Promise<{ requestHash: Buffer; answer: StoredAnswer } | undefined> {
  const { tenantId, now } = transaction;
  const claimed = await transaction
    .insertInto('idempotencyKeys')
    .values({ tenantId, principal, key, requestHash, createdAt: now })
    .onConflict((conflict) => conflict.columns(['tenantId', 'principal', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  if (claimed) return undefined;

  const kept = await transaction
    .selectFrom('idempotencyKeys')
    .select(['requestHash', 'status', 'headers', 'body'])
    .where('tenantId', '=', tenantId)
    .where('principal', '=', principal)
    .where('key', '=', key)
    // The lock makes this transaction a write, so that its commit waits until a standby has the answer too.
    .forShare()
    .executeTakeFirstOrThrow();
  const headers = kept.headers as Record<string, string>;
  return { requestHash: kept.requestHash, answer: { status: kept.status ?? 200, headers, body: kept.body } };
}

export async function keepAnswer(
  transaction: TenantTransaction,
  { principal, key }: RequestMark,
  { status, headers, body }: StoredAnswer,
): Promise<void> {
  await transaction
    .updateTable('idempotencyKeys')
    .set({ status, headers: JSON.stringify(headers), body: JSON.stringify(body) })
    .where('tenantId', '=', transaction.tenantId)
    .where('principal', '=', principal)
    .where('key', '=', key)
    .execute();
}

/** Deletes old keys, which may then be used again. */
export async function deleteIdempotencyKeys(transaction: TenantTransaction, before: Date): Promise<void> {
  await transaction
    .deleteFrom('idempotencyKeys')
    .where('tenantId', '=', transaction.tenantId)
    .where('createdAt', '<', before)
    .execute();
}

/** The stored answers to these requests, by principal and key. */
export async function findStoredAnswers(
  { client, tenantId }: BareTransaction,
  marks: readonly RequestMark[],
): Promise<Map<string, { requestHash: Buffer; answer: StoredAnswer }>> {
  if (marks.length === 0) return new Map();
  const { rows } = await client.query<RequestMark & { request_hash: Buffer } & StoredAnswer>({
    name: 'find-kept-answers',
    text: `select k.principal, k.key, k.request_hash, k.status, k.headers, k.body from idempotency_keys k
           join unnest($2::text[], $3::text[]) as m(principal, key) on m.principal = k.principal and m.key = k.key
           where k.tenant_id = $1`,
    values: [tenantId, marks.map(({ principal }) => principal), marks.map(({ key }) => key)],
  });
  return new Map(
    rows.map(({ request_hash: requestHash, status, headers, body, ...mark }) => [
      markId(mark),
      { requestHash, answer: { status, headers, body } },
    ]),
  );
}

/** Stores the answers of a batch of requests. */
export function keepAnswers(
  tenantId: number,
  answers: readonly { mark: RequestMark; body: unknown }[],
  now: Date,
): Statement {
  return {
    name: 'keep-answers',
    text: `insert into idempotency_keys (tenant_id, principal, key, request_hash, status, headers, body, created_at)
           select $1, a.principal, a.key, a.hash, 200, '{}', a.body, $6
           from unnest($2::text[], $3::text[], $4::bytea[], $5::jsonb[]) as a(principal, key, hash, body)`,
    values: [
      tenantId,
      answers.map(({ mark }) => mark.principal),
      answers.map(({ mark }) => mark.key),
      answers.map(({ mark }) => mark.requestHash),
      answers.map(({ body }) => JSON.stringify(body)),
      now,
    ],
  };
}

export function markId({ principal, key }: Pick<RequestMark, 'principal' | 'key'>): string {
  return `${principal} ${key}`;
}
