import type { PressedKeys, ReportReply } from '../../channels/port/outcome.ts';
import { checkPin } from '../../people/self-service/user-pin.store.ts';
import { readTenant } from '../../postgres/tenant-transaction.ts';
import { heardIds } from '../outcomes/call-reports.ts';
import { findAnsweredAttempt } from './answer.store.ts';
import { type Answered, type AnswerServices, answerCall } from './answer-call.ts';
import type { Judgement, Proof } from './answer-judgement.ts';

export type PressedInCall = { tenantId: number; attemptId: number; keys: PressedKeys };

/** Carries out the keys that a person pressed in a call that we placed, and returns what to tell them. */
export async function answerKeys(
  services: AnswerServices,
  { tenantId, attemptId, keys }: PressedInCall,
): Promise<ReportReply> {
  const proof = await proofOf(services, { tenantId, attemptId, keys });
  const answered = await answerCall(services, {
    tenantId,
    attemptId,
    method: 'keys',
    intent: keys.choice,
    proof,
    heard: heardIds(keys.heard, services.names),
  });
  return answered ? replyOf(answered) : { judgement: 'not-allowed', takenBy: '' };
}

/** A person without a PIN cannot give the right one. */
async function proofOf(
  { runtime }: AnswerServices,
  { tenantId, attemptId, keys: { proof } }: PressedInCall,
): Promise<Proof> {
  if (proof.kind === 'leg') return proof;
  if (proof.kind === 'code') return { kind: 'code', given: proof.given };
  const isRight = await readTenant(runtime.database, tenantId, async (transaction) => {
    const attempt = await findAnsweredAttempt(transaction, attemptId);
    return attempt !== undefined && (await checkPin(transaction, attempt.userId, proof.given)) === 'right';
  });
  return { kind: 'pin', isRight };
}

const told: Record<Judgement, ReportReply['judgement']> = {
  accepted: 'accepted',
  used: 'accepted',
  wrong: 'wrong',
  locked: 'locked',
  stale: 'late',
  forged: 'not-allowed',
  replayed: 'not-allowed',
  'other-number': 'not-allowed',
  'not-allowed': 'not-allowed',
};

/** The reply to a channel about an answer that it reported. */
export function replyOf({ judgement, intent, alarms }: Answered): ReportReply {
  const isLate = intent === 'take' && alarms.length > 0 && alarms.every(({ outcome }) => outcome !== 'taken');
  const takenBy = alarms.find(({ by }) => by !== '')?.by ?? '';
  if (judgement === 'accepted' && isLate) return { judgement: 'late', takenBy };
  return { judgement: told[judgement], takenBy: '' };
}
