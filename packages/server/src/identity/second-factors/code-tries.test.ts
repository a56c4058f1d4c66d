import { expect, test } from 'vitest';
import { afterWrongCode, type CodeTries, secondsToNextCode } from './code-tries.ts';

const start = new Date('2026-03-01T06:00:00Z');
const fresh: CodeTries = { failures: 0, lastAt: start, retryAt: start };

// The figures of docs/operations.md, "Guessing codes".
const validCodes = 3;
const codes = 10 ** 6;

test('four wrong codes cost nothing; from the fifth the wait doubles, up to 15 minutes', () => {
  const waits: number[] = [];
  let tries = fresh;
  for (let n = 0; n < 16; n++) {
    tries = afterWrongCode(tries, tries.retryAt);
    waits.push(secondsToNextCode(tries, tries.lastAt));
  }
  expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
});

test('whoever knows a password needs 9 years on average to guess a code at the highest rate', () => {
  let tries = fresh;
  let first = 0;
  for (; tries.retryAt.getTime() < start.getTime() + 86_400_000; first++)
    tries = afterWrongCode(tries, tries.retryAt);
  const later = 86_400 / 900;
  expect([first, later]).toEqual([109, 96]);
  expect(Math.floor(codes / validCodes / later)).toBe(3_472);
});

test('wrong codes are forgotten after a day without another', () => {
  const before = { failures: 12, lastAt: start, retryAt: start };
  const later = (seconds: number) => new Date(start.getTime() + seconds * 1_000);
  expect(afterWrongCode(before, later(86_399)).failures).toBe(13);
  expect(afterWrongCode(before, later(86_400)).failures).toBe(1);
});
