import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TokenBuckets } from './token-buckets.ts';

function bucketsAt(perSecond: number) {
  const time = { now: 5_000 };
  return { time, buckets: new TokenBuckets(perSecond, () => time.now) };
}

test('one second allows as many requests as the rate, and no more', () => {
  const { buckets } = bucketsAt(3);
  expect([1, 2, 3].map(() => buckets.take('a').allowed)).toEqual([true, true, true]);
  expect(buckets.take('a')).toEqual({ allowed: false, remaining: 0, resetSeconds: 1 });
});

test('tokens come back steadily, not all at once', () => {
  const { time, buckets } = bucketsAt(10);
  for (let taken = 0; taken < 10; taken += 1) buckets.take('a');
  time.now += 250;
  expect([buckets.take('a').allowed, buckets.take('a').allowed, buckets.take('a').allowed]).toEqual([
    true,
    true,
    false,
  ]);
});

test('keys do not share tokens', () => {
  const { buckets } = bucketsAt(1);
  expect(buckets.take('a').allowed).toBe(true);
  expect(buckets.take('a').allowed).toBe(false);
  expect(buckets.take('b').allowed).toBe(true);
});

test('in any interval a key gets at most one full bucket and the refill', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 400 }),
      (perSecond, pauses) => {
        const { time, buckets } = bucketsAt(perSecond);
        const start = time.now;
        let allowed = 0;
        for (const pause of pauses) {
          time.now += pause;
          if (buckets.take('a').allowed) allowed += 1;
        }
        expect(allowed).toBeLessThanOrEqual(perSecond + ((time.now - start) / 1_000) * perSecond + 1e-6);
      },
    ),
  );
});

test('a key that stays within the rate is never refused', () => {
  const { time, buckets } = bucketsAt(20);
  for (let request = 0; request < 500; request += 1) {
    time.now += 50.001;
    expect(buckets.take('a').allowed).toBe(true);
  }
});

test('idle buckets are dropped', () => {
  const { time, buckets } = bucketsAt(10);
  for (let key = 0; key < 1_000; key += 1) buckets.take(`key ${key}`);
  expect(buckets.size).toBe(1_000);
  time.now += 1_000;
  buckets.take('other');
  time.now += 1_000;
  buckets.take('other');
  expect(buckets.size).toBe(1);
});

test('a flood of new keys does not fill the memory', () => {
  const { buckets } = bucketsAt(10);
  for (let key = 0; key < 350_000; key += 1) buckets.take(String(key));
  expect(buckets.size).toBeLessThanOrEqual(200_000);
});
