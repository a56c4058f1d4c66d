import {
  type AnswerJudgement,
  type AnswerKeys,
  type AnswerSubject,
  judgeAnswer,
  maxFailures,
} from '../../channels/port/answer-code.ts';
import { isSameAddress } from './same-address.ts';

/**
 * `take` acknowledges the alarm; `confirm` only says that the call was received; `refuse` gives it to the next person.
 */
export type AnswerIntent = 'take' | 'confirm' | 'refuse';

/** How an answer was given. */
export type AnswerMethod = 'provider' | 'link' | 'interface' | 'keys';

/** The judgement of an answer. Only `accepted` has an effect. */
export type Judgement =
  | AnswerJudgement
  /** It is not signed by the provider. */
  | 'forged'
  /** The provider's report was received before. */
  | 'replayed'
  /** It came from another number than the called one. */
  | 'other-number'
  /** The person called is disabled or deleted. */
  | 'not-allowed';

/** The proof that the answer comes from the person called. */
export type Proof =
  | { kind: 'code' | 'token'; given: string }
  | { kind: 'logged-in' }
  /** Keys pressed in a call that we placed to the person's own telephone. */
  | { kind: 'leg' }
  /** The same, with the person's PIN. */
  | { kind: 'pin'; isRight: boolean };

/** The facts about an attempt that decide about its answer. */
export type AnswerableAttempt = {
  subject: AnswerSubject;
  /** Wrong codes so far. */
  failures: number;
  /** Answers that were accepted before. */
  accepted: readonly { intent: AnswerIntent; at: Date }[];
  mayAct: boolean;
  address: string;
};

export type GivenAnswer = { proof: Proof; intent: AnswerIntent; from?: string | undefined };

/**
 * Judges an answer. A code can be used once, except that a person who has only confirmed the call may still take the alarm
 * with it.
 */
export function judgeGiven(
  keys: AnswerKeys,
  { proof, intent, from }: GivenAnswer,
  { attempt, now }: { attempt: AnswerableAttempt; now: Date },
): Judgement {
  const { subject, failures, accepted, mayAct, address } = attempt;
  const before = accepted.find((one) => intent === 'confirm' || one.intent === 'take');
  if (from !== undefined && !isSameAddress(from, address)) return 'other-number';
  const judgement =
    'given' in proof
      ? judgeAnswer(keys, proof.given, { attempt: { ...subject, failures, answeredAt: before?.at }, now })
      : judgeWithoutCode(proof, { before, failures });
  return judgement === 'accepted' && !mayAct ? 'not-allowed' : judgement;
}

/** In a call a person may take one alarm after the other. */
function judgeWithoutCode(
  proof: Exclude<Proof, { given: string }>,
  { before, failures }: { before: object | undefined; failures: number },
): AnswerJudgement {
  if (proof.kind === 'logged-in') return before === undefined ? 'accepted' : 'used';
  if (proof.kind === 'leg') return 'accepted';
  if (failures >= maxFailures) return 'locked';
  return proof.isRight ? 'accepted' : 'wrong';
}

/**
 * Reads pressed keys or a text reply. The code alone, or followed by 1, takes the alarm; followed by 2 it only confirms
 * the call, and the escalation goes on.
 */
export function readDigits(text: string): { proof: Proof; intent: AnswerIntent } {
  const digits = text.replace(/\D/g, '');
  const [, code = digits, choice] = /^(\d{6})([12])$/.exec(digits) ?? [];
  return { proof: { kind: 'code', given: code }, intent: choice === '2' ? 'confirm' : 'take' };
}
