import { createHmac, timingSafeEqual } from 'node:crypto';

/** The attempt that an answer belongs to. Its code is valid for no other attempt. */
export type AnswerSubject = {
  readonly tenantId: number;
  readonly attemptId: string;
  readonly expiresAt: Date;
};

/** The state of the attempt when an answer comes. */
export type AwaitedAnswer = AnswerSubject & {
  /** When it was answered: a code is valid once. */
  readonly answeredAt: Date | undefined;
  /** Number of wrong codes so far. */
  readonly failures: number;
};

/** The result of checking an answer. Only `accepted` changes anything. */
export type AnswerJudgement = 'accepted' | 'wrong' | 'stale' | 'used' | 'locked';

/** The first key signs; all are accepted, so that a key can be rotated while messages are unanswered. */
export type AnswerKeys = readonly [Buffer, ...Buffer[]];

const codeDigits = 6;

/** With five attempts at six digits a guess succeeds once in 200,000. */
export const maxFailures = 5;

/** Digits for a telephone keypad or an SMS. */
export function answerCode([key]: AnswerKeys, subject: AnswerSubject): string {
  return digitsOf(key, subject);
}

/** A signed token for a link: names the attempt, and proves that we made it. */
export function answerToken([key]: AnswerKeys, subject: AnswerSubject): string {
  const claim = claimText(subject);
  return `${Buffer.from(claim).toString('base64url')}.${mac(key, `link ${claim}`).toString('base64url')}`;
}

/** The attempt of a token; undefined if we did not sign it. Expiry is checked against the attempt. */
export function readAnswerToken(keys: AnswerKeys, token: string): AnswerSubject | undefined {
  const [encoded, signature, ...more] = token.length > 512 ? [] : token.split('.');
  if (encoded === undefined || signature === undefined || more.length > 0) return undefined;
  const claim = Buffer.from(encoded, 'base64url').toString('utf8');
  const given = Buffer.from(signature, 'base64url');
  if (!keys.some((key) => isSame(mac(key, `link ${claim}`), given))) return undefined;
  const [, tenantId, expires, attemptId] = /^(\d+) (\d+) (.+)$/.exec(claim) ?? [];
  if (attemptId === undefined) return undefined;
  return { tenantId: Number(tenantId), attemptId, expiresAt: new Date(Number(expires)) };
}

/** Checks digits or a token against the attempt. */
export function judgeAnswer(
  keys: AnswerKeys,
  given: string,
  { attempt, now }: { attempt: AwaitedAnswer; now: Date },
): AnswerJudgement {
  // Only digits can be guessed, so wrong digits must not lock out the holder of the link.
  const isGuess = !given.includes('.');
  if (isGuess && attempt.failures >= maxFailures) return 'locked';
  if (!isOf(keys, given, attempt)) return 'wrong';
  if (attempt.answeredAt !== undefined) return 'used';
  return now >= attempt.expiresAt ? 'stale' : 'accepted';
}

function isOf(keys: AnswerKeys, given: string, attempt: AnswerSubject): boolean {
  const isToken = given.includes('.');
  const subject = isToken ? readAnswerToken(keys, given) : undefined;
  if (isToken) return subject !== undefined && claimText(subject) === claimText(attempt);
  return keys.some((key) => isSame(Buffer.from(digitsOf(key, attempt)), Buffer.from(given)));
}

function digitsOf(key: Buffer, subject: AnswerSubject): string {
  // 48 bits are far more than six digits need, so all codes are equally likely.
  const number = mac(key, `code ${claimText(subject)}`).readUIntBE(0, 6) % 10 ** codeDigits;
  return String(number).padStart(codeDigits, '0');
}

function claimText({ tenantId, attemptId, expiresAt }: AnswerSubject): string {
  return `${tenantId} ${expiresAt.getTime()} ${attemptId}`;
}

function mac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function isSame(expected: Buffer, given: Buffer): boolean {
  return expected.length === given.length && timingSafeEqual(expected, given);
}
