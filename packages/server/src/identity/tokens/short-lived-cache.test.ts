import { expect, test } from 'vitest';
import { FakeClock } from '../../testing/plant.fixture.ts';
import { createShortLivedCache } from './short-lived-cache.ts';

function cacheOf(maxEntries = 10) {
  const clock = new FakeClock('2026-03-01T06:00:00Z');
  const ask = createShortLivedCache<number>({ maxAgeMs: 5_000, maxEntries, now: clock.now });
  let loads = 0;
  return { clock, ask: (key = 'anna') => ask(key, async () => ++loads) };
}

test('a value is loaded again after five seconds', async () => {
  const { clock, ask } = cacheOf();
  expect(await ask()).toBe(1);
  clock.advance(4.999);
  expect(await ask()).toBe(1);
  clock.advance(0.001);
  expect(await ask()).toBe(2);
});

test('concurrent callers share one load', async () => {
  const { ask } = cacheOf();
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
});

test('a clock that is set back does not extend the life of a value', async () => {
  const { clock, ask } = cacheOf();
  await ask();
  clock.advance(-3_600);
  expect(await ask()).toBe(2);
});

test('a failed load is not cached', async () => {
  const clock = new FakeClock('2026-03-01T06:00:00Z');
  const ask = createShortLivedCache<string>({ maxAgeMs: 5_000, maxEntries: 10, now: clock.now });
  await expect(ask('anna', () => Promise.reject(new Error('database gone')))).rejects.toThrow('gone');
  expect(await ask('anna', async () => 'back')).toBe('back');
});

test('the oldest value is dropped for a new one', async () => {
  const { ask } = cacheOf(4);
  for (const key of ['a', 'b', 'c', 'd', 'e']) await ask(key);
  expect(await ask('e')).toBe(5);
  expect(await ask('a')).toBe(6);
});
