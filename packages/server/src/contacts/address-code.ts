import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Medium } from '@tocsin/domain';
import type { AnswerKeys } from '../channels/port/answer-code.ts';

/** The code that is meant. It is valid for no other person and no other address. */
export type CodeSubject = {
  readonly tenantId: number;
  readonly codeId: number;
  readonly userId: number;
  readonly medium: Medium;
};

const codeDigits = 6;

/**
 * The six digits that are sent to an address. They are computed from the row of the code with a key that is not in the
 * database, like the answer codes of calls, so that neither the digits nor a hash of them need to be stored.
 */
export function addressCode([key]: AnswerKeys, subject: CodeSubject): string {
  return digitsOf(key, subject);
}

/** Compares in constant time. */
export function isAddressCode(keys: AnswerKeys, given: string, subject: CodeSubject): boolean {
  const typed = Buffer.from(given);
  return keys.some((key) => {
    const expected = Buffer.from(digitsOf(key, subject));
    return expected.length === typed.length && timingSafeEqual(expected, typed);
  });
}

function digitsOf(key: Buffer, { tenantId, codeId, userId, medium }: CodeSubject): string {
  const text = ['address', tenantId, codeId, userId, medium.kind, medium.address].join(' ');
  // 48 bits are far more than six digits need, so all codes are equally likely.
  const number = createHmac('sha256', key).update(text).digest().readUIntBE(0, 6) % 10 ** codeDigits;
  return String(number).padStart(codeDigits, '0');
}
