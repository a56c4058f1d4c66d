import { expect, test } from 'vitest';
import { createWritePermits } from './write-permits.ts';

test('those who wait get permits in the order of asking, and nobody gets ahead of them', async () => {
  const permits = createWritePermits(2);
  expect([permits.takeNow(), permits.takeNow(), permits.takeNow()]).toEqual([true, true, false]);
  const told: string[] = [];
  const first = permits.wait().then(() => told.push('first'));
  const second = permits.wait().then(() => told.push('second'));
  permits.giveBack();
  expect(permits.takeNow()).toBe(false);
  permits.giveBack();
  await Promise.all([first, second]);
  expect(told).toEqual(['first', 'second']);
  permits.giveBack();
  expect(permits.free).toBe(1);
});

test('whoever waits too long is told so, and the permit is for the next', async () => {
  const permits = createWritePermits(1, 10);
  expect(permits.takeNow()).toBe(true);
  expect(await permits.wait()).toBe(false);
  permits.giveBack();
  expect(permits.free).toBe(1);
});
