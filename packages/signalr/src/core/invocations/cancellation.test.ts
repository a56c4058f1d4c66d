import { expect, test } from 'vitest';
import { Cancellation } from './cancellation.ts';

test('a value is returned and an error is thrown', async () => {
  const cancellation = new Cancellation();
  expect(await cancellation.wait(Promise.resolve(1))).toBe(1);
  await expect(cancellation.wait(Promise.reject(new Error('no')))).rejects.toThrow('no');
});

test('a cancelled wait ends, and later ones end at once', async () => {
  const cancellation = new Cancellation();
  const waiting = cancellation.wait(new Promise(() => undefined));
  cancellation.cancel();
  expect(await waiting).toBeUndefined();
  expect(await cancellation.wait(Promise.resolve(1))).toBeUndefined();
  expect(await cancellation.wait(Promise.reject(new Error('ignored')))).toBeUndefined();
});
