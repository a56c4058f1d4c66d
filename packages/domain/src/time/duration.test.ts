import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatUtc } from './date-time.ts';
import { formatDuration, parseDuration, wholeSecondsBetween } from './duration.ts';

const instants = fc.date({
  min: new Date('1960-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
});

test.each([
  [0, '00:00:00'],
  [59, '00:00:59'],
  [3_661, '01:01:01'],
  [86_399, '23:59:59'],
  [86_400, '24:00:00'],
  [493_509, '137:05:09'],
  [1.999, '00:00:01'],
])('%d seconds are written %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

test('a duration that was written can be read back, however long', () => {
  fc.assert(
    fc.property(fc.nat({ max: 10 ** 12 }), (seconds) => {
      expect(parseDuration(formatDuration(seconds))).toBe(seconds);
    }),
  );
});

test.each([
  '',
  '1:00:00',
  '00:60:00',
  '00:00:60',
  '00:00',
  '-01:00:00',
  '1.02:00:00',
  ' 00:00:01',
  '٠٠:00:00',
])('%j is not a duration', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

test('a duration beyond safe integers is rejected', () => {
  expect(parseDuration(`${'9'.repeat(400)}:00:00`)).toBeUndefined();
});

test('the difference of two shown times is the shown duration', () => {
  fc.assert(
    fc.property(instants, instants, (one, other) => {
      const [start, end] = one <= other ? [one, other] : [other, one];
      const shown = Date.parse(`${formatUtc(end)}Z`) - Date.parse(`${formatUtc(start)}Z`);
      expect(wholeSecondsBetween(start, end)).toBe(shown / 1000);
    }),
  );
});

test('an end before its start has no duration', () => {
  const start = new Date('2026-04-29T06:00:00.500Z');
  expect(wholeSecondsBetween(start, new Date('2026-04-29T06:00:00.499Z'))).toBeUndefined();
  expect(wholeSecondsBetween(start, start)).toBe(0);
  expect(wholeSecondsBetween(start, new Date('2026-04-29T06:00:01.000Z'))).toBe(1);
});
