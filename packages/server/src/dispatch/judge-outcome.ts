import type { Outcome } from '../channels/channel.ts';
import { type Answered, type Answering, answerCall } from './answer-call.ts';
import { readDigits } from './answer-judgement.ts';

export type ToldOutcome = {
  tenantId: number;
  /** The attempt whose name the message bears. */
  attemptId: number;
  outcome: Outcome;
  /** The number an answer came from, where the provider says so. */
  from?: string | undefined;
};

/**
 * Judges an acknowledgment that a provider tells, whichever way it tells it, and carries it out. What is left of it,
 * to be settled like any other outcome, is that somebody answered: an acknowledgment with a wrong code is no more.
 */
export async function judgeOutcome(
  answering: Answering,
  { tenantId, attemptId, outcome, from }: ToldOutcome,
): Promise<{ outcome: Outcome; answered: Answered | undefined }> {
  if (outcome.kind !== 'acknowledged') return { outcome, answered: undefined };
  const given = { ...readDigits(outcome.code), from };
  const answered = await answerCall(answering, { tenantId, attemptId, way: 'provider', ...given });
  return { outcome: { kind: 'answered', reference: outcome.reference }, answered };
}
