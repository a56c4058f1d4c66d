/** Limits how many batches are written at a time; waiting ones get permits in the order of asking. */
export type WritePermits = {
  readonly free: number;
  /** False if no permit is free: then `acquire` waits for one. */
  tryAcquire(): boolean;
  /** Whether a permit became free in time. */
  acquire(): Promise<boolean>;
  release(): void;
};

/** As long as the wait for a connection, so that clients get an answer while the database does not. */
const defaultMaxWaitMs = 5_000;

export function createWritePermits(count: number, maxWaitMs = defaultMaxWaitMs): WritePermits {
  const waiting: (() => void)[] = [];
  let free = count;
  return {
    get free() {
      return free;
    },
    tryAcquire: () => {
      if (free === 0) return false;
      free -= 1;
      return true;
    },
    acquire: () =>
      new Promise((resolve) => {
        const grant = () => {
          clearTimeout(timer);
          resolve(true);
        };
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(grant), 1);
          resolve(false);
        }, maxWaitMs);
        waiting.push(grant);
      }),
    release: () => {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    },
  };
}
