import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { zones } from '../testing/zones.ts';
import { isZone, offsetSecondsAt } from './zone.ts';

const instants = fc.date({
  min: new Date('1850-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
});

const wallClocks = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en-GB', { timeZone, hourCycle: 'h23', dateStyle: 'short', timeStyle: 'medium' }),
  ]),
);

/** A reference offset: local time minus UTC. */
function wallClockOffset(zone: (typeof zones)[number], instant: Date): number {
  const shown = wallClocks.get(zone)?.format(instant) ?? '';
  const [day = 0, month = 0, year = 0, hour, minute, second] = shown.split(/\D+/).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - Math.floor(instant.getTime() / 1000);
}

test('offsets are right in all zones at any time', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), instants, (zone, instant) => {
      expect(offsetSecondsAt(zone, instant)).toBe(wallClockOffset(zone, instant));
    }),
    { numRuns: 5_000 },
  );
});

test('offsets change at the right second, also on a cached day', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.integer({ min: 1990, max: 2037 }), (zone, year) => {
      for (let day = 0; day < 365; day += 73) {
        const { before, after } = changeWithin(zone, Date.UTC(year, 0, 1 + day), Date.UTC(year, 0, 74 + day));
        expect(offsetSecondsAt(zone, before)).toBe(wallClockOffset(zone, before));
        expect(offsetSecondsAt(zone, after)).toBe(wallClockOffset(zone, after));
      }
    }),
    { numRuns: 60 },
  );
});

/** The seconds just before and after a clock change in the period, if there is one. */
function changeWithin(zone: (typeof zones)[number], start: number, end: number) {
  const offset = wallClockOffset(zone, new Date(start));
  let [before, after] = [start / 1000, end / 1000];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (wallClockOffset(zone, new Date(middle * 1000)) === offset) before = middle;
    else after = middle;
  }
  return { before: new Date(before * 1000), after: new Date(after * 1000) };
}

test.each([
  ['America/St_Johns', '2011-03-13T03:30:59Z', -12_600, -9_000],
  ['Antarctica/Casey', '2022-10-01T16:00:59Z', 28_800, 39_600],
])('clocks in %s changed one minute past the hour', (zone, lastSecond, before, after) => {
  const instant = new Date(lastSecond);
  expect(offsetSecondsAt(zone, instant)).toBe(before);
  expect(offsetSecondsAt(zone, new Date(instant.getTime() + 1_000))).toBe(after);
});

test.each([...zones, 'europe/paris', 'US/Pacific', 'GMT'])('%s is a time zone', (name) => {
  expect(isZone(name)).toBe(true);
});

test.each([
  '',
  ' ',
  'Paris',
  'Europe/Pariss',
  'Europe/Paris ',
  '+02:00',
  '-0330',
  'GMT+2',
  'Z',
  '../../etc',
  '\0',
])('%j is not a time zone', (name) => {
  expect(isZone(name)).toBe(false);
});

test('an unknown zone throws an error', () => {
  expect(() => offsetSecondsAt('Europe/Pariss', new Date(0))).toThrow(RangeError);
});
