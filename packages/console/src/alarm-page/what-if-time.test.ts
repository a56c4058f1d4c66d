import { expect, test } from 'vitest';
import { siteWeekday, whatIfTime } from './what-if-time.ts';

// In Paris it is already Sunday.
const now = Date.parse('2026-11-14T23:30:00Z');

test('the day is that of the site, not of UTC', () => {
  expect(siteWeekday(now, 'Europe/Paris')).toBe(0);
  expect(siteWeekday(now, 'UTC')).toBe(6);
});

test('Sunday is today on a Sunday, and Saturday is six days away', () => {
  expect(whatIfTime(0, '03:00', now, 'Europe/Paris')).toBe('2026-11-15T03:00:00');
  expect(whatIfTime(6, '03:00', now, 'Europe/Paris')).toBe('2026-11-21T03:00:00');
});

test('a week that ends a month goes on in the next one', () => {
  expect(whatIfTime(2, '22:15', Date.parse('2026-11-30T12:00:00Z'), 'UTC')).toBe('2026-12-01T22:15:00');
});
