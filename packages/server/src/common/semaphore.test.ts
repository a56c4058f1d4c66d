import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('at most so many tasks run at a time, and the others start in the order in which they asked', async () => {
  const semaphore = createSemaphore(2);
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const started: number[] = [];
  const tasks = gates.map(({ promise }, number) =>
    semaphore.run(async () => {
      started.push(number);
      await promise;
    }),
  );
  await settle();
  expect(started).toEqual([0, 1]);
  expect(semaphore.waiting).toBe(2);
  gates[1]?.resolve();
  await settle();
  expect(started).toEqual([0, 1, 2]);
  for (const { resolve } of gates) resolve();
  await Promise.all(tasks);
  expect(started).toEqual([0, 1, 2, 3]);
  expect(semaphore.isIdle).toBe(true);
});

test('a task that fails releases its permit', async () => {
  const semaphore = createSemaphore(1);
  const failing = semaphore.run(() => Promise.reject(new Error('tripped')));
  const next = semaphore.run(async () => 'done');
  await expect(failing).rejects.toThrow('tripped');
  expect(await next).toBe('done');
  expect(semaphore.hasFreePermit).toBe(true);
});

test('a caller that stops waiting does not use up a permit', async () => {
  const semaphore = createSemaphore(1);
  expect(await semaphore.acquire()).toBe(true);
  const abort = new AbortController();
  const aborted = semaphore.acquire(abort.signal);
  const patient = semaphore.acquire(new AbortController().signal);
  abort.abort();
  expect(await aborted).toBe(false);
  expect(semaphore.waiting).toBe(1);
  semaphore.release();
  expect(await patient).toBe(true);
  semaphore.release();
  expect(await semaphore.acquire(abort.signal), 'aborted before it asked').toBe(false);
  expect(semaphore.isIdle).toBe(true);
});
