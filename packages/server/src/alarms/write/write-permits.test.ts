import { expect, test } from 'vitest';
import { createWritePermits } from './write-permits.ts';

test('waiting batches get permits in the order of asking, and none overtakes', async () => {
  const permits = createWritePermits(2);
  const [one, other] = [permits.tryAcquire(), permits.tryAcquire()];
  expect(permits.tryAcquire()).toBeUndefined();
  const granted: string[] = [];
  const first = permits.acquire().then((permit) => (granted.push('first'), permit));
  const second = permits.acquire().then((permit) => (granted.push('second'), permit));
  one?.release();
  expect(permits.tryAcquire()).toBeUndefined();
  other?.release();
  const [third] = await Promise.all([first, second]);
  expect(granted).toEqual(['first', 'second']);
  third?.release();
  expect(permits.free).toBe(1);
});

test('a batch that waits too long gets no permit, and the next one gets it', async () => {
  const permits = createWritePermits(1, 10);
  const held = permits.tryAcquire();
  expect(await permits.acquire()).toBeUndefined();
  held?.release();
  expect(permits.free).toBe(1);
});

test('small batches that wait share one permit, which is free when all of them have released it', async () => {
  const permits = createWritePermits(1);
  const held = permits.tryAcquire();
  const small = () => true;
  const waiting = [permits.acquire(small), permits.acquire(() => false), permits.acquire(small)] as const;
  held?.release();
  const [first, third] = await Promise.all([waiting[0], waiting[2]]);
  expect(first).toBe(third);
  expect(first?.sharers).toBe(2);
  first?.release();
  expect(permits.free).toBe(0);
  third?.release();
  const large = await waiting[1];
  expect(large?.sharers).toBe(1);
  large?.release();
  expect(permits.free).toBe(1);
});
