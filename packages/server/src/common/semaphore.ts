/** Limits how many tasks run at a time. The others wait, in the order in which they asked. */
export type Semaphore = {
  /** Callers that wait for a permit. */
  readonly waiting: number;
  readonly hasFreePermit: boolean;
  /** Whether nobody holds a permit or waits for one. */
  readonly isIdle: boolean;
  /** Resolves to true with a permit, which the caller must release, or to false if the signal aborts first. */
  acquire(signal?: AbortSignal): Promise<boolean>;
  release(): void;
  /** Runs the task while holding a permit. */
  run<Result>(task: () => Promise<Result>): Promise<Result>;
};

export function createSemaphore(permits: number): Semaphore {
  const queue = new Set<() => void>();
  let free = permits;

  const acquire = (signal?: AbortSignal): Promise<boolean> => {
    if (signal?.aborted) return Promise.resolve(false);
    if (free === 0) return waitInQueue(queue, signal);
    free -= 1;
    return Promise.resolve(true);
  };
  const release = () => {
    const [next] = queue;
    // A released permit goes straight to the first waiter, so that no newcomer can overtake it.
    if (next) next();
    else free += 1;
  };
  const run = async <Result>(task: () => Promise<Result>): Promise<Result> => {
    await acquire();
    try {
      return await task();
    } finally {
      release();
    }
  };
  return {
    get waiting() {
      return queue.size;
    },
    get hasFreePermit() {
      return free > 0;
    },
    get isIdle() {
      return free === permits;
    },
    acquire,
    release,
    run,
  };
}

function waitInQueue(queue: Set<() => void>, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const leave = (hasPermit: boolean) => {
      queue.delete(grant);
      signal?.removeEventListener('abort', giveUp);
      resolve(hasPermit);
    };
    const grant = () => leave(true);
    const giveUp = () => leave(false);
    signal?.addEventListener('abort', giveUp, { once: true });
    queue.add(grant);
  });
}
