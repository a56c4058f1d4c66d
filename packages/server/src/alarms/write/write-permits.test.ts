import { expect, test } from 'vitest';
import { createWritePermits } from './write-permits.ts';

test('waiting batches get permits in the order of asking, and none overtakes', async () => {
  const permits = createWritePermits(2);
  expect([permits.tryAcquire(), permits.tryAcquire(), permits.tryAcquire()]).toEqual([true, true, false]);
  const granted: string[] = [];
  const first = permits.acquire().then(() => granted.push('first'));
  const second = permits.acquire().then(() => granted.push('second'));
  permits.release();
  expect(permits.tryAcquire()).toBe(false);
  permits.release();
  await Promise.all([first, second]);
  expect(granted).toEqual(['first', 'second']);
  permits.release();
  expect(permits.free).toBe(1);
});

test('a batch that waits too long gets no permit, and the next one gets it', async () => {
  const permits = createWritePermits(1, 10);
  expect(permits.tryAcquire()).toBe(true);
  expect(await permits.acquire()).toBe(false);
  permits.release();
  expect(permits.free).toBe(1);
});
