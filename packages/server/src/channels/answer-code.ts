import { createHmac, timingSafeEqual } from 'node:crypto';

/** The try that an answer belongs to. Nobody can answer another with the same code. */
export type AnswerSubject = {
  readonly tenantId: number;
  readonly attemptId: string;
  readonly expiresAt: Date;
};

/** What is known of the attempt when somebody answers. */
export type AwaitedAnswer = AnswerSubject & {
  /** When it was answered; a code is good once. */
  readonly answeredAt: Date | undefined;
  /** Wrong codes so far. */
  readonly failures: number;
};

/** What an answer is worth. Only `accepted` changes anything. */
export type AnswerJudgement = 'accepted' | 'wrong' | 'stale' | 'used' | 'locked';

/** The first signs; all are accepted, so that a key can be changed while messages are out. */
export type AnswerKeys = readonly [Buffer, ...Buffer[]];

const codeDigits = 6;

/** One in 200,000 is what a guess is worth with so many tries. */
const mostFailures = 5;

/** Digits for a telephone keypad or an SMS. */
export function answerCode([key]: AnswerKeys, subject: AnswerSubject): string {
  return digitsOf(key, subject);
}

/** For a link: says which attempt it answers, and that we made it. */
export function answerToken([key]: AnswerKeys, subject: AnswerSubject): string {
  const claim = claimOf(subject);
  return `${Buffer.from(claim).toString('base64url')}.${mac(key, `link ${claim}`).toString('base64url')}`;
}

/** Whom a token is from, or undefined when it is not one of ours. Whether it is still good is judged with the attempt. */
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

/** Judges digits, or a whole token, against the attempt they are given for. */
export function judgeAnswer(
  keys: AnswerKeys,
  given: string,
  { attempt, now }: { attempt: AwaitedAnswer; now: Date },
): AnswerJudgement {
  // Digits can be guessed. A link cannot: others who guess must not lock out the one who has it.
  const isGuess = !given.includes('.');
  if (isGuess && attempt.failures >= mostFailures) return 'locked';
  if (!isOf(keys, given, attempt)) return 'wrong';
  if (attempt.answeredAt !== undefined) return 'used';
  return now >= attempt.expiresAt ? 'stale' : 'accepted';
}

function isOf(keys: AnswerKeys, given: string, attempt: AnswerSubject): boolean {
  const isToken = given.includes('.');
  const subject = isToken ? readAnswerToken(keys, given) : undefined;
  if (isToken) return subject !== undefined && claimOf(subject) === claimOf(attempt);
  return keys.some((key) => isSame(Buffer.from(digitsOf(key, attempt)), Buffer.from(given)));
}

function digitsOf(key: Buffer, subject: AnswerSubject): string {
  // 48 bits: far more than six digits need, so each is as likely as any other.
  const number = mac(key, `code ${claimOf(subject)}`).readUIntBE(0, 6) % 10 ** codeDigits;
  return String(number).padStart(codeDigits, '0');
}

function claimOf({ tenantId, attemptId, expiresAt }: AnswerSubject): string {
  return `${tenantId} ${expiresAt.getTime()} ${attemptId}`;
}

function mac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function isSame(expected: Buffer, given: Buffer): boolean {
  return expected.length === given.length && timingSafeEqual(expected, given);
}
