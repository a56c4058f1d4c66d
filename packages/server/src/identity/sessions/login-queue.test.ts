import { expect, test } from 'vitest';
import { createLoginQueue } from './login-queue.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a log-in waits until each of its limits has room', async () => {
  const enqueue = createLoginQueue(10);
  const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const started: number[] = [];
  const everybody = { key: 'everybody', maxConcurrent: 2 };
  const logins = gates.map(({ promise }, number) =>
    enqueue([{ key: `address ${number % 2}`, maxConcurrent: 1 }, everybody], async () => {
      started.push(number);
      await promise;
    }),
  );
  await settle();
  expect(started).toEqual([0, 1]);
  gates[1]?.resolve();
  await settle();
  expect(started, 'the first address is still busy').toEqual([0, 1]);
  gates[0]?.resolve();
  await settle();
  expect(started).toEqual([0, 1, 2]);
  gates[2]?.resolve();
  await Promise.all(logins);
});

test('a log-in that fails lets the next one start', async () => {
  const enqueue = createLoginQueue(10);
  const limits = [{ key: 'ada', maxConcurrent: 1 }];
  const failing = enqueue(limits, () => Promise.reject(new Error('tripped')));
  const next = enqueue(limits, async () => 'logged in');
  await expect(failing).rejects.toThrow('tripped');
  expect(await next).toBe('logged in');
});

test('a full queue answers 429 at once, and other keys are not affected', async () => {
  const enqueue = createLoginQueue(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  const ada = [{ key: 'ada', maxConcurrent: 1 }];
  const logins = [enqueue(ada, () => promise), enqueue(ada, () => promise)];
  await expect(enqueue(ada, () => promise)).rejects.toMatchObject({ code: 'too-many-requests' });
  expect(await enqueue([{ key: 'ben', maxConcurrent: 1 }], async () => 'logged in')).toBe('logged in');
  resolve();
  await Promise.all(logins);
  expect(await enqueue(ada, async () => 'logged in')).toBe('logged in');
});
