import { expect, test } from 'vitest';
import { fromLocal, toLocal } from './local-time.ts';

const paris = 'Europe/Paris';
const utc = (text: string) => Date.parse(`${text}Z`);

test.each([
  ['2026-11-15T03:12', '2026-11-15T02:12'],
  ['2026-07-15T03:12', '2026-07-15T01:12'],
  ['2026-03-29T12:00', '2026-03-29T10:00'],
  ['2026-10-25T12:00', '2026-10-25T11:00'],
])('%s of a site in Paris is %s UTC, and back', (local, instant) => {
  expect(fromLocal(local, paris)).toBe(utc(instant));
  expect(toLocal(utc(instant), paris)).toBe(local);
});

test('of the hour that the clocks repeat, the first one counts', () => {
  expect(fromLocal('2026-10-25T02:30', paris)).toBe(utc('2026-10-25T00:30'));
});

test('a time that the clocks leave out is some time beside it', () => {
  const found = fromLocal('2026-03-29T02:30', paris) ?? 0;
  expect(Math.abs(found - utc('2026-03-29T01:00'))).toBeLessThanOrEqual(3_600_000);
});

test('an empty field is no time', () => {
  expect(fromLocal('', paris)).toBeUndefined();
});
