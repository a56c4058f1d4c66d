import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../testing/any-text.ts';
import { zones } from '../testing/zones.ts';
import { formatInZone, formatUtc, parseDateTime } from './date-time.ts';

const instants = fc.date({
  min: new Date('0001-01-02T00:00:00Z'),
  max: new Date('9999-12-30T00:00:00Z'),
  noInvalidDate: true,
});
const wholeSecond = (instant: Date) => new Date(Math.floor(instant.getTime() / 1000) * 1000);

test.each([
  ['Europe/Paris', '2026-04-29T09:07:42+02:00'],
  ['Europe/Paris', '2026-01-29T08:07:42+01:00'],
  ['UTC', '2026-04-29T07:07:42+00:00'],
  ['America/St_Johns', '2026-01-01T00:00:00-03:30'],
  ['Asia/Kathmandu', '2026-01-01T00:00:00+05:45'],
  ['Africa/Monrovia', '1971-01-01T00:00:00-00:44'],
  ['Europe/Paris', '1900-01-01T00:00:00+00:09'],
])('a time in %s is written %s', (zone, text) => {
  expect(formatInZone(zone, new Date(text))).toBe(text);
  expect(formatInZone(zone, new Date(Date.parse(text) + 999))).toBe(text);
});

test('the time of the last change is UTC without an offset', () => {
  expect(formatUtc(new Date('2026-04-29T06:46:04.999Z'))).toBe('2026-04-29T06:46:04');
  expect(formatUtc(new Date('1969-12-31T23:59:59.001Z'))).toBe('1969-12-31T23:59:59');
});

test('a time that was written can be read back, in any zone and year', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), instants, (zone, instant) => {
      expect(parseDateTime(formatInZone(zone, instant), 'UTC')).toEqual(wholeSecond(instant));
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ['2026-04-29T09:07:42Z', '2026-04-29T09:07:42.000Z'],
  ['2026-04-29t09:07:42z', '2026-04-29T09:07:42.000Z'],
  ['2026-04-29T09:07:42.5Z', '2026-04-29T09:07:42.500Z'],
  ['2026-04-29T09:07:42.1239999Z', '2026-04-29T09:07:42.123Z'],
  ['2026-04-29T09:07:42,25+02:00', '2026-04-29T07:07:42.250Z'],
  ['2026-04-29T09:07:42 02:00', '2026-04-29T07:07:42.000Z'],
  ['2026-04-29T09:07-0330', '2026-04-29T12:37:00.000Z'],
  ['2026-04-29T09:07+05', '2026-04-29T04:07:00.000Z'],
  ['2026-04-29 09:07:42', '2026-04-29T07:07:42.000Z'],
  ['2026-04-29T09:07', '2026-04-29T07:07:00.000Z'],
  ['2026-04-29', '2026-04-28T22:00:00.000Z'],
  ['20260429', '2026-04-28T22:00:00.000Z'],
  ['20260429T0907', '2026-04-29T07:07:00.000Z'],
  ['20260429T090742', '2026-04-29T07:07:42.000Z'],
  ['20260429T090742.25Z', '2026-04-29T09:07:42.250Z'],
  ['20260429t090742+0330', '2026-04-29T05:37:42.000Z'],
  ['2024-02-29', '2024-02-28T23:00:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('in Paris %s means %s', (text, instant) => {
  expect(parseDateTime(text, 'Europe/Paris')?.toISOString()).toBe(instant);
});

test.each([
  '',
  'now',
  '2026',
  '2026-04',
  '202604',
  '2026-0429',
  '20260429T09:07',
  '2026-4-29',
  '26-04-29',
  ' 2026-01-01',
  '2026-01-01\n',
])('the malformed text %j is rejected', (text) => {
  expect(parseDateTime(text, 'Europe/Paris')).toBeUndefined();
});

test.each([
  '2026-02-30',
  '2026-02-29',
  '2026-13-01',
  '2026-00-01',
  '2026-01-00',
  '0000-01-01',
  '10000-01-01',
])('the day %s, which does not exist, is rejected', (text) => {
  expect(parseDateTime(text, 'Europe/Paris')).toBeUndefined();
  expect(parseDateTime(`${text}T00:00:00Z`, 'Europe/Paris')).toBeUndefined();
});

test.each([
  'T',
  'T09',
  'Z',
  'T24:00:00',
  'T09:60',
  'T09:07:60',
  'T09:07:42.Z',
  'T09:07Z+02:00',
  'T09:07[UTC]',
])('the time %s, which does not exist, is rejected', (time) => {
  expect(parseDateTime(`2026-04-29${time}`, 'Europe/Paris')).toBeUndefined();
});

test.each(['+24:00', '+02:60', '+2', '+020', '+02:0', '2:00'])(
  'an offset no zone has (%s) is none',
  (offset) => {
    expect(parseDateTime(`2026-04-29T09:07:42${offset}`, 'Europe/Paris')).toBeUndefined();
  },
);

test('no text makes the parser throw', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.stringMatching(/^[-0-9T:.Z+ ]{0,30}$/)), (text) => {
      const instant = parseDateTime(text, 'Europe/Paris');
      expect(instant === undefined || Number.isFinite(instant.getTime())).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
