import { expect, test } from 'vitest';
import { roughDuration, shortDuration, spokenDuration } from './durations.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

test.each([
  [0, '0:00'],
  [-5 * second, '0:00'],
  [12 * second, '0:12'],
  [31 * minute + 12 * second, '31:12'],
  [59 * minute + 59_999, '59:59'],
  [hour + 52 * minute, '1 h 52'],
  [23 * hour + 59 * minute, '23 h 59'],
  [74 * hour, '3 d 02 h'],
])('a duration of %i ms reads %s', (ms, text) => {
  expect(shortDuration(ms)).toBe(text);
});

test.each([
  [4 * second, '4 s'],
  [59 * minute, '59 min'],
  [23 * hour, '23 h'],
  [50 * hour, '2 d'],
  [-second, '0 s'],
])('an age of %d ms is about %s', (ms, text) => {
  expect(roughDuration(ms)).toBe(text);
});

test.each([
  [48 * minute, 'en', '48 minutes'],
  [hour, 'en', '1 hour'],
  [47 * hour, 'en', '47 hours'],
  [49 * hour, 'de', '2 Tage'],
])('%d ms is said in %s as %s', (ms, language, text) => {
  expect(spokenDuration(ms, language)).toBe(text);
});
