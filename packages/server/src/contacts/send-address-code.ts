import {
  addressCodeSeconds,
  addSeconds,
  codeLimitSeconds,
  type Medium,
  secondsUntilNextCode,
} from '@tocsin/domain';
import { listServedMedia } from '../calls/callee.store.ts';
import type { AnswerKeys } from '../channels/port/answer-code.ts';
import { ProblemError } from '../common/problem.ts';
import { sendNotice } from '../notices/send-notice.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { insertCode, listSentCodes } from './address-code.store.ts';
import { addressCode } from './address-code.ts';

export type CodeOrder = {
  userId: number;
  medium: Medium;
  /** The name of the user who asked for it. */
  requestedBy: string;
};

/** Sends a code to an address of a person, and returns until when it is valid. */
export async function sendAddressCode(
  transaction: TenantTransaction,
  keys: AnswerKeys,
  { userId, medium, requestedBy }: CodeOrder,
): Promise<{ validUntil: Date }> {
  const { tenantId, now } = transaction;
  await refuseTooMany(transaction, { userId, address: medium.address });
  if (!(await listServedMedia(transaction)).has(medium.kind))
    throw new ProblemError(
      'conflict',
      `No channel serves ${medium.kind}: set one up, or let an administrator confirm the address`,
    );
  const codeId = await insertCode(transaction, userId, medium);
  const code = addressCode(keys, { tenantId, codeId, userId, medium });
  const content = { kind: 'code', code } as const;
  const sent = await sendNotice(transaction, { content, userId, media: [medium], requestedBy });
  if (!sent) throw new ProblemError('conflict', `User ${userId} is disabled: enable the user first`);
  return { validUntil: addSeconds(now, addressCodeSeconds) };
}

/** Answers 429 while the address or the person has got too many codes. */
async function refuseTooMany(
  transaction: TenantTransaction,
  to: { userId: number; address: string },
): Promise<void> {
  const { now } = transaction;
  const sent = await listSentCodes(transaction, to, addSeconds(now, -codeLimitSeconds));
  const wait = secondsUntilNextCode(sent, now);
  if (wait === 0) return;
  throw new ProblemError('too-many-requests', `Too many codes were sent; try again in ${wait} s`, {
    headers: { 'retry-after': String(wait) },
  });
}
