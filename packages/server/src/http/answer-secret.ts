import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from '../common/problem.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { answerWrite } from './answer.ts';
import type { AuditChange } from './audit-change.ts';

/** Answers a write with a secret, which is not stored for repetitions of the request. */
export async function answerSecret<Body>(
  runtime: Runtime,
  exchange: { request: FastifyRequest; reply: FastifyReply },
  work: (transaction: TenantTransaction) => Promise<{ body: Body; audit: AuditChange }>,
): Promise<Body> {
  const made: Body[] = [];
  await answerWrite(runtime, exchange, async (transaction) => {
    const { body, audit } = await work(transaction);
    made.push(body);
    return { body: null, audit };
  });
  const [body] = made;
  if (body === undefined)
    throw new ProblemError(
      'conflict',
      'This was answered already, and is shown once only: ask for a new one',
    );
  return body;
}
