/** Limits how many batches are written at a time; waiting ones get permits in the order of asking. */
export type WritePermits = {
  readonly free: number;
  /** Undefined if no permit is free: then `acquire` waits for one. */
  tryAcquire(): Permit | undefined;
  /**
   * Undefined if no permit became free in time. Batches that wait, and that `canShare`, get one permit together, to be
   * written in one transaction.
   */
  acquire(canShare?: () => boolean): Promise<Permit | undefined>;
};

export type Permit = {
  /** How many batches have this permit together. Each of them must release it. */
  readonly sharers: number;
  release(): void;
};

type Waiting = { canShare: () => boolean; grant: (permit: Permit) => void };

/** As long as the wait for a connection, so that clients get an answer while the database does not. */
const defaultMaxWaitMs = 5_000;
/** A transaction of more tenants holds their locks for too long. */
const maxSharers = 16;

export function createWritePermits(count: number, maxWaitMs = defaultMaxWaitMs): WritePermits {
  const waiting: Waiting[] = [];
  let free = count;
  const release = () => {
    const next = takeSharers(waiting);
    if (next.length === 0) free += 1;
    const permit = createPermit(next.length, release);
    for (const { grant } of next) grant(permit);
  };
  return {
    get free() {
      return free;
    },
    tryAcquire: () => {
      if (free === 0) return undefined;
      free -= 1;
      return createPermit(1, release);
    },
    acquire: (canShare = () => false) =>
      new Promise((resolve) => {
        const one: Waiting = {
          canShare,
          grant: (permit) => {
            clearTimeout(timer);
            resolve(permit);
          },
        };
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(one), 1);
          resolve(undefined);
        }, maxWaitMs);
        waiting.push(one);
      }),
  };
}

/** Removes the batch that has waited longest, and if it can share, others that can. */
function takeSharers(waiting: Waiting[]): Waiting[] {
  const [first] = waiting;
  if (!first) return [];
  if (!first.canShare()) return waiting.splice(0, 1);
  const taken: Waiting[] = [];
  const left = waiting.filter((one) => {
    const isTaken = taken.length < maxSharers && one.canShare();
    if (isTaken) taken.push(one);
    return !isTaken;
  });
  waiting.splice(0, waiting.length, ...left);
  return taken;
}

function createPermit(sharers: number, onReleased: () => void): Permit {
  let held = sharers;
  return {
    sharers,
    release: () => {
      held -= 1;
      if (held === 0) onReleased();
    },
  };
}
