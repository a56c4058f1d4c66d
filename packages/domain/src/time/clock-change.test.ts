import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { zones } from '../testing/zones.ts';
import { formatInZone, parseDateTime } from './date-time.ts';

const instants = fc.date({
  min: new Date('1975-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
});

/** Parses `text` as local time in the zone and formats the instant again. */
function readBack(text: string, zone: string): string | undefined {
  const instant = parseDateTime(text, zone);
  return instant && formatInZone(zone, instant);
}

test.each([
  ['Europe/Paris', '2026-03-29T02:30:00', '2026-03-29T03:30:00+02:00'],
  ['Europe/Paris', '2026-03-29T01:59:59', '2026-03-29T01:59:59+01:00'],
  ['Europe/Paris', '2026-03-29T02:00:00', '2026-03-29T03:00:00+02:00'],
  ['America/New_York', '2026-03-08T02:30:00', '2026-03-08T03:30:00-04:00'],
  ['Australia/Lord_Howe', '2026-10-04T02:15:00', '2026-10-04T02:45:00+11:00'],
  ['Pacific/Apia', '2011-12-30T12:00:00', '2011-12-31T12:00:00+14:00'],
  ['Asia/Beirut', '2026-03-29', '2026-03-29T01:00:00+03:00'],
])('in %s %s is skipped and means %s', (zone, text, meant) => {
  expect(readBack(text, zone)).toBe(meant);
});

test.each([
  ['Europe/Paris', '2026-10-25T02:30:00', '2026-10-25T02:30:00+02:00'],
  ['Europe/Paris', '2026-10-25T03:00:00', '2026-10-25T03:00:00+01:00'],
  ['America/New_York', '2026-11-01T01:30:00', '2026-11-01T01:30:00-04:00'],
  ['Australia/Lord_Howe', '2026-04-05T01:45:00', '2026-04-05T01:45:00+11:00'],
])('in %s %s is repeated and means %s', (zone, text, meant) => {
  expect(readBack(text, zone)).toBe(meant);
});

test('a time without its offset still denotes the same local time', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), instants, (zone, instant) => {
      const shown = formatInZone(zone, instant);
      const meant = parseDateTime(shown.slice(0, 19), zone) ?? new Date(Number.NaN);
      expect(formatInZone(zone, meant).slice(0, 19)).toBe(shown.slice(0, 19));
      // When clocks go back, a time is shown twice and means the first instant.
      expect(meant.getTime()).toBeLessThanOrEqual(instant.getTime());
      expect(meant.getTime()).toBeGreaterThan(instant.getTime() - 86_400_000);
    }),
    { numRuns: 3_000 },
  );
});
