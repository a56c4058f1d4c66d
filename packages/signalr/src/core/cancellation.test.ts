import { expect, test } from 'vitest';
import { Cancellation } from './cancellation.ts';

test('what comes is had, and what fails is thrown', async () => {
  const cancellation = new Cancellation();
  expect(await cancellation.wait(Promise.resolve(1))).toBe(1);
  await expect(cancellation.wait(Promise.reject(new Error('no')))).rejects.toThrow('no');
});

test('a wait ends when it is cancelled, and later ones at once', async () => {
  const cancellation = new Cancellation();
  const waiting = cancellation.wait(new Promise(() => undefined));
  cancellation.cancel();
  expect(await waiting).toBeUndefined();
  expect(await cancellation.wait(Promise.resolve(1))).toBeUndefined();
  expect(await cancellation.wait(Promise.reject(new Error('nobody hears it')))).toBeUndefined();
});
