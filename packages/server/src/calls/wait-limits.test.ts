import { expect, test } from 'vitest';
import { createWaitLimits } from './wait-limits.ts';

test('a tenant at its limit does not affect another', () => {
  const limits = createWaitLimits(2);
  expect([limits.acquire(1), limits.acquire(1), limits.acquire(2)]).not.toContain(undefined);
  expect(limits.acquire(1)).toBeUndefined();
  expect([limits.waiting(1), limits.waiting(2), limits.waiting(3)]).toEqual([2, 1, 0]);
});

test('a released place can be used again', () => {
  const limits = createWaitLimits(1);
  const release = limits.acquire(1);
  release?.();
  expect(limits.waiting(1)).toBe(0);
  expect(limits.acquire(1)).toBeDefined();
});
