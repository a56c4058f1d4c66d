import { expect, test } from 'vitest';
import { judgeAddressCode, secondsUntilNextCode } from './address-code.ts';

const sentAt = new Date('2026-04-29T20:00:00Z');
const after = (seconds: number) => new Date(sentAt.getTime() + seconds * 1_000);
const code = { sentAt, wrongTries: 0, usedAt: null };
const right = () => true;
const never = () => {
  throw new Error('compared');
};

test('a code is valid for 15 minutes', () => {
  expect(judgeAddressCode(code, right, after(899))).toBe('right');
  expect(judgeAddressCode(code, () => false, after(899))).toBe('wrong');
  expect(judgeAddressCode(code, never, after(900))).toBe('expired');
});

test('five wrong tries end a code, and the right one is not compared any more', () => {
  expect(judgeAddressCode({ ...code, wrongTries: 4 }, right, after(1))).toBe('right');
  expect(judgeAddressCode({ ...code, wrongTries: 5 }, never, after(1))).toBe('locked');
});

test('a code confirms once, and without a code nothing is confirmed', () => {
  expect(judgeAddressCode({ ...code, usedAt: after(1) }, never, after(2))).toBe('none');
  expect(judgeAddressCode(undefined, never, sentAt)).toBe('none');
});

test('an address gets three codes in an hour', () => {
  const toAddress = [after(0), after(600), after(1_200)];
  expect(secondsUntilNextCode({ toAddress: toAddress.slice(1), toPerson: [] }, after(1_200))).toBe(0);
  expect(secondsUntilNextCode({ toAddress, toPerson: [] }, after(1_200))).toBe(2_400);
  expect(secondsUntilNextCode({ toAddress: toAddress.toReversed(), toPerson: [] }, after(3_599))).toBe(1);
  expect(secondsUntilNextCode({ toAddress, toPerson: [] }, after(3_600))).toBe(0);
});

test('a person gets ten codes in a day, whatever the addresses', () => {
  const toPerson = Array.from({ length: 10 }, (_, index) => after(index * 60));
  expect(secondsUntilNextCode({ toAddress: [], toPerson: toPerson.slice(1) }, after(600))).toBe(0);
  expect(secondsUntilNextCode({ toAddress: [], toPerson }, after(600))).toBe(86_400 - 600);
  expect(secondsUntilNextCode({ toAddress: [], toPerson }, after(86_400))).toBe(0);
});
