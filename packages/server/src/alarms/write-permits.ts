/** So many batches are written at a time; the others wait in the order of asking. */
export type WritePermits = {
  /** How many there are to take. */
  readonly free: number;
  /** False when there is none: then `wait` for one. */
  takeNow(): boolean;
  /** Whether one came in time. */
  wait(): Promise<boolean>;
  giveBack(): void;
};

/** As long as for a connection: with a database that does not answer, whoever waits hears of it. */
const longestWaitMs = 5_000;

export function createWritePermits(atOnce: number, longestMs = longestWaitMs): WritePermits {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return {
    get free() {
      return free;
    },
    takeNow: () => {
      if (free === 0) return false;
      free -= 1;
      return true;
    },
    wait: () =>
      new Promise((resolve) => {
        const take = () => {
          clearTimeout(timer);
          resolve(true);
        };
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(take), 1);
          resolve(false);
        }, longestMs);
        waiting.push(take);
      }),
    giveBack: () => {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    },
  };
}
