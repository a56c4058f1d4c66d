import { expect, test } from 'vitest';
import { createThrottle } from './smpp-throttle.ts';

test('each throttle doubles the pause up to a limit, and messages that pass shorten it', () => {
  let now = 0;
  const throttle = createThrottle(() => now);
  const pauses = Array.from({ length: 6 }, () => {
    throttle.slowDown();
    throttle.slowDown();
    const seconds = throttle.pauseSeconds();
    now += seconds * 1_000;
    return seconds;
  });
  expect(pauses).toEqual([1, 2, 4, 8, 16, 16]);
  expect(throttle.pauseSeconds()).toBe(0);
  throttle.passed();
  throttle.passed();
  throttle.slowDown();
  expect(throttle.pauseSeconds()).toBe(8);
});
