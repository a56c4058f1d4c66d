import { expect, test } from 'vitest';
import { floodSince, isFlooding } from './flood-rule.ts';

const minute = 60_000;
const begin = 1_700_000_000_000;
const at = (...minutes: number[]) => minutes.map((value) => begin + value * minute);
const eleven = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

test('ten alarms in ten minutes are no flood, eleven are', () => {
  expect(isFlooding(at(...eleven.slice(1)), begin + 2 * minute)).toBe(false);
  expect(isFlooding(at(...eleven), begin + 2 * minute)).toBe(true);
  expect(isFlooding(at(...eleven), begin + 12 * minute)).toBe(false);
});

test('a flood begins with the first of the eleven alarms', () => {
  expect(floodSince(at(-30, ...eleven), begin + 2 * minute)).toBe(begin);
  expect(floodSince(at(...eleven.slice(1)), begin + 2 * minute)).toBeUndefined();
});

test('eleven alarms in more than ten minutes are no flood', () => {
  expect(floodSince(at(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), begin + 11 * minute)).toBeUndefined();
});

test('a flood goes on while five alarms come in ten minutes, and keeps its beginning', () => {
  expect(floodSince(at(...eleven, 6, 7, 8, 9, 10, 12, 14, 16, 17), begin + 17 * minute)).toBe(begin);
});

test('a flood ends when fewer than five alarms came in ten minutes', () => {
  expect(floodSince(at(...eleven, 8, 9, 10), begin + 12 * minute)).toBeUndefined();
});

test('a second flood begins anew', () => {
  const later = eleven.map((value) => value + 60);
  expect(floodSince(at(...eleven, ...later), begin + 62 * minute)).toBe(begin + 60 * minute);
});
