import { ProblemError } from '../../common/problem.ts';
import { createSemaphore, type Semaphore } from '../../common/semaphore.ts';

/** How many log-ins with the same key may run at a time. */
export type LoginLimit = { readonly key: string; readonly maxConcurrent: number };

/** Runs a log-in once every limit has room for it, in the order of arrival. */
export type LoginQueue = <Result>(
  limits: readonly LoginLimit[],
  logIn: () => Promise<Result>,
) => Promise<Result>;

/** Answers 429 when `maxWaiting` log-ins wait for the same key. */
export function createLoginQueue(maxWaiting: number): LoginQueue {
  const semaphores = new Map<string, Semaphore>();

  const enqueue: LoginQueue = async ([limit, ...others], logIn) => {
    if (limit === undefined) return logIn();
    const { key, maxConcurrent } = limit;
    const semaphore = semaphores.get(key) ?? createSemaphore(maxConcurrent);
    if (!semaphore.hasFreePermit && semaphore.waiting >= maxWaiting) throw tooManyLogins();
    semaphores.set(key, semaphore);
    try {
      return await semaphore.run(() => enqueue(others, logIn));
    } finally {
      if (semaphore.isIdle) semaphores.delete(key);
    }
  };
  return enqueue;
}

function tooManyLogins(): ProblemError {
  return new ProblemError('too-many-requests', 'Too many log-ins at once', {
    headers: { 'retry-after': '1' },
  });
}
