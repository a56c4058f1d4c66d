import {
  type AnswerJudgement,
  type AnswerKeys,
  type AnswerSubject,
  judgeAnswer,
} from '../channels/answer-code.ts';

/** What somebody who answers a call says: that he takes the alarm, or only that he has got the call. */
export type AnswerIntent = 'take' | 'confirm';

/** By which an answer came. */
export type AnswerWayName = 'provider' | 'link' | 'interface';

/** What an answer was worth. Only `accepted` changes anything. */
export type Judgement =
  | AnswerJudgement
  /** It bears no signature of the provider. */
  | 'forged'
  /** The provider's report was heard before. */
  | 'replayed'
  /** It came from another number than the one that was called. */
  | 'other-number'
  /** The person called may no longer act here. */
  | 'not-allowed';

/** What shows that the answer comes from the person called. */
export type Proof = { kind: 'code' | 'token'; given: string } | { kind: 'logged-in' };

/** What is known of the attempt when somebody answers it. */
export type AnswerableAttempt = {
  subject: AnswerSubject;
  /** Wrong codes so far. */
  failures: number;
  /** What was accepted before, and when. */
  accepted: readonly { intent: AnswerIntent; at: Date }[];
  mayAct: boolean;
  address: string;
};

export type GivenAnswer = { proof: Proof; intent: AnswerIntent; from?: string | undefined };

/**
 * Judges an answer. A code is good once; but whoever has only confirmed the call may still take the alarm with it,
 * for nobody else can have seen it pressed that way.
 */
export function judgeGiven(
  keys: AnswerKeys,
  { proof, intent, from }: GivenAnswer,
  { attempt, now }: { attempt: AnswerableAttempt; now: Date },
): Judgement {
  const { subject, failures, accepted, mayAct, address } = attempt;
  const before = accepted.find((one) => intent === 'confirm' || one.intent === 'take');
  if (from !== undefined && !isSameNumber(from, address)) return 'other-number';
  const judgement =
    proof.kind === 'logged-in'
      ? judgeKnown(before)
      : judgeAnswer(keys, proof.given, { attempt: { ...subject, failures, answeredAt: before?.at }, now });
  return judgement === 'accepted' && !mayAct ? 'not-allowed' : judgement;
}

function judgeKnown(before: object | undefined): AnswerJudgement {
  return before === undefined ? 'accepted' : 'used';
}

/** Providers write numbers in their own way: the same digits at the end are the same number. */
function isSameNumber(one: string, other: string): boolean {
  const [a, b] = [one, other].map((number) => number.replace(/\D/g, '').replace(/^0+/, ''));
  if (!a || !b) return false;
  return a === b || (Math.min(a.length, b.length) >= 8 && (a.endsWith(b) || b.endsWith(a)));
}

/**
 * What keys that were pressed, or a text that was sent back, say. The code alone takes the alarm, as does the code
 * followed by 1; followed by 2 it only confirms the call, and others are called on.
 */
export function readDigits(text: string): { proof: Proof; intent: AnswerIntent } {
  const digits = text.replace(/\D/g, '');
  const [, code = digits, choice] = /^(\d{6})([12])$/.exec(digits) ?? [];
  return { proof: { kind: 'code', given: code }, intent: choice === '2' ? 'confirm' : 'take' };
}
