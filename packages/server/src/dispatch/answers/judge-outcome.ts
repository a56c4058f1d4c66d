import type { ChannelOutcome } from '../../channels/port/outcome.ts';
import type { ReportedOutcome } from '../outcomes/reported-outcome.ts';
import { type Answered, type AnswerServices, answerCall } from './answer-call.ts';
import { readDigits } from './answer-judgement.ts';

/**
 * Judges an acknowledgment that a provider reports, and carries it out. The outcome to settle is then only `answered`,
 * because the code may have been wrong.
 */
export async function judgeOutcome(
  services: AnswerServices,
  { tenantId, attemptId, outcome, from }: ReportedOutcome,
): Promise<{ outcome: ChannelOutcome; answered: Answered | undefined }> {
  if (outcome.kind !== 'acknowledged') return { outcome, answered: undefined };
  const given = { ...readDigits(outcome.code), from };
  const answered = await answerCall(services, { tenantId, attemptId, method: 'provider', ...given });
  const { reference, isOver = false } = outcome;
  const remaining: ChannelOutcome = isOver
    ? { kind: 'ended', reference, reason: '', wasAnswered: true }
    : { kind: 'answered', reference };
  return { outcome: remaining, answered };
}
