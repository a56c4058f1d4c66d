import { expect, test } from 'vitest';
import { preferredWait } from './preferred-wait.ts';

test.for([
  ['wait=10', 10],
  ['wait=0', 0],
  ['WAIT = 10', 10],
  ['wait="10"', 10],
  ['respond-async, wait=10', 10],
  ['respond-async;foo="a, wait=3", wait=10;bar', 10],
  ['wait=10, wait=20', 10],
  ['wait=120', 120],
  ['wait=121', 120],
  ['wait=999999999', 120],
] as const)('Prefer: %s asks to wait %i seconds', ([header, seconds]) => {
  expect(preferredWait(header)).toBe(seconds);
});

test.for([
  undefined,
  '',
  'wait',
  'wait=',
  'wait=soon',
  'wait=-1',
  'wait=1.5',
  'wait="10',
  'awaited=10',
  'foo="wait=10"',
  'respond-async',
  ',,;=',
] as const)('Prefer: %s asks for no wait', (header) => {
  expect(preferredWait(header)).toBeUndefined();
});

test('several headers count as one list', () => {
  expect(preferredWait(['respond-async', 'wait=7'])).toBe(7);
});

test('a header that is expensive to parse is ignored', () => {
  const before = process.cpuUsage();
  expect(preferredWait(`wait${' '.repeat(120_000)}\u0001, wait=7`)).toBe(7);
  expect(process.cpuUsage(before).user, 'microseconds').toBeLessThan(5_000_000);
});
