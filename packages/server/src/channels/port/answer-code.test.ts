import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AnswerKeys,
  type AwaitedAnswer,
  answerCode,
  answerToken,
  judgeAnswer,
  readAnswerToken,
} from './answer-code.ts';

const keys: AnswerKeys = [Buffer.alloc(32, 1)];
const now = new Date('2026-03-01T06:00:00Z');
const attempt: AwaitedAnswer = {
  tenantId: 3,
  attemptId: '6f1c1a52-0d3e-4e5e-9a9e-1f2f3a4b5c6d',
  expiresAt: new Date('2026-03-01T06:10:00Z'),
  answeredAt: undefined,
  failures: 0,
};
const judge = (given: string, more: Partial<AwaitedAnswer> = {}, at = now) =>
  judgeAnswer(keys, given, { attempt: { ...attempt, ...more }, now: at });

test('the six digits of a message, or its link, are an answer', () => {
  expect(answerCode(keys, attempt)).toMatch(/^\d{6}$/);
  expect(judge(answerCode(keys, attempt))).toBe('accepted');
  expect(judge(answerToken(keys, attempt))).toBe('accepted');
});

test('a link says whose attempt it answers, and fits into a URL', () => {
  const token = answerToken(keys, attempt);
  expect(token).toMatch(/^[\w-]+\.[\w-]+$/);
  expect(readAnswerToken(keys, token)).toEqual({
    tenantId: 3,
    attemptId: attempt.attemptId,
    expiresAt: attempt.expiresAt,
  });
});

test.for([
  { what: 'another attempt', more: { attemptId: '0' } },
  { what: 'another tenant', more: { tenantId: 4 } },
  { what: 'a later hour', more: { expiresAt: new Date('2026-03-01T07:10:00Z') } },
])('the answer of one attempt is not valid for $what', ({ more }) => {
  expect(judge(answerToken(keys, { ...attempt, ...more }))).toBe('wrong');
  expect(judge(answerCode(keys, { ...attempt, ...more }))).toBe('wrong');
});

test('an answer that was made with another key is rejected', () => {
  const others: AnswerKeys = [Buffer.alloc(32, 2)];
  expect(judge(answerToken(others, attempt))).toBe('wrong');
  expect(readAnswerToken(keys, answerToken(others, attempt))).toBeUndefined();
  expect(judge(answerCode(others, attempt))).toBe('wrong');
});

test('an answer is valid once', () => {
  const answered = { answeredAt: new Date('2026-03-01T05:59:00Z') };
  expect(judge(answerCode(keys, attempt), answered)).toBe('used');
  expect(judge(answerToken(keys, attempt), answered)).toBe('used');
});

test('an answer that comes too late is stale', () => {
  const late = new Date('2026-03-01T06:10:00Z');
  expect(judge(answerCode(keys, attempt), {}, late)).toBe('stale');
  expect(judge(answerToken(keys, attempt), {}, late)).toBe('stale');
  expect(judge(answerToken(keys, attempt), {}, new Date('2026-03-01T06:09:59Z'))).toBe('accepted');
});

test('after five wrong codes digits are locked, but a link is not', () => {
  expect(judge(answerCode(keys, attempt), { failures: 4 })).toBe('accepted');
  expect(judge(answerCode(keys, attempt), { failures: 5 })).toBe('locked');
  expect(judge(answerToken(keys, attempt), { failures: 5 })).toBe('accepted');
});

test('a key can be rotated while messages are unanswered', () => {
  const renewed: AnswerKeys = [Buffer.alloc(32, 2), keys[0]];
  for (const given of [answerCode(keys, attempt), answerToken(keys, attempt)])
    expect(judgeAnswer(renewed, given, { attempt, now })).toBe('accepted');
  expect(answerCode(renewed, attempt)).not.toBe(answerCode(keys, attempt));
});

test('no change of a single character leaves a link valid', () => {
  const token = answerToken(keys, attempt);
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom('A', 'b', '0', '-', '_', '.', '='), (at, sign) => {
      fc.pre(token[at] !== sign);
      const forged = token.slice(0, at) + sign + token.slice(at + 1);
      const read = readAnswerToken(keys, forged);
      // The last sign of base64 has bits that mean nothing: what it says is then the same.
      expect(read === undefined || read.attemptId === attempt.attemptId).toBe(true);
      expect(['wrong', 'accepted']).toContain(judge(forged));
      if (at < token.indexOf('.') - 1) expect(read).toBeUndefined();
    }),
  );
});

test.for(['', '.', '..', 'a.b', 'a.b.c', '48291', '4829133', 'x'.repeat(10_000), '４８２９１３', '-1', ' '])(
  'any other text is wrong: %s',
  (given) => {
    expect(judge(given)).toBe('wrong');
  },
);

test('codes of different attempts are random', () => {
  const key: AnswerKeys = [randomBytes(32)];
  const codes = Array.from({ length: 1_000 }, (_, n) =>
    answerCode(key, { ...attempt, attemptId: String(n) }),
  );
  expect(new Set(codes).size).toBeGreaterThan(985);
  expect(codes.some((code) => code.startsWith('0'))).toBe(true);
});
