import { expect, test } from 'vitest';
import { FakeClock } from '../testing/plant.fixture.ts';
import { createBriefCache } from './brief-cache.ts';

function cacheOf(largest = 10) {
  const clock = new FakeClock('2026-03-01T06:00:00Z');
  const ask = createBriefCache<number>({ lifeMs: 5_000, largest, now: clock.now });
  let loads = 0;
  return { clock, ask: (key = 'anna') => ask(key, async () => ++loads) };
}

test('what was asked a moment ago is not asked again, for five seconds', async () => {
  const { clock, ask } = cacheOf();
  expect(await ask()).toBe(1);
  clock.advance(4.999);
  expect(await ask()).toBe(1);
  clock.advance(0.001);
  expect(await ask()).toBe(2);
});

test('those who ask at once share one question', async () => {
  const { ask } = cacheOf();
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
});

test('a clock that is set back does not make an old answer last', async () => {
  const { clock, ask } = cacheOf();
  await ask();
  clock.advance(-3_600);
  expect(await ask()).toBe(2);
});

test('a failure is not remembered', async () => {
  const clock = new FakeClock('2026-03-01T06:00:00Z');
  const ask = createBriefCache<string>({ lifeMs: 5_000, largest: 10, now: clock.now });
  await expect(ask('anna', () => Promise.reject(new Error('database gone')))).rejects.toThrow('gone');
  expect(await ask('anna', async () => 'back')).toBe('back');
});

test('old answers make room for new ones', async () => {
  const { ask } = cacheOf(4);
  for (const key of ['a', 'b', 'c', 'd', 'e']) await ask(key);
  expect(await ask('e')).toBe(5);
  expect(await ask('a')).toBe(6);
});
