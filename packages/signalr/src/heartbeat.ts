/** What is looked after once a second: time-outs, pings, expiry and slow consumers need no timer of their own. */
export type Beating = { beat(now: number): void };

/** Given, so that tests can let time pass. */
export type Timers = {
  /** Runs again and again; the answer stops it. */
  every(ms: number, run: () => void): () => void;
};

const systemTimers: Timers = {
  every: (ms, run) => {
    const timer = setInterval(run, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};

export type Heartbeat = {
  add(beating: Beating): void;
  remove(beating: Beating): void;
  readonly size: number;
  stop(): void;
};

export type HeartbeatOptions = {
  readonly clock: () => number;
  readonly timers?: Timers | undefined;
  readonly everyMs?: number | undefined;
  readonly onError: (error: unknown) => void;
};

/** Looked after in one go; others get a turn in between. */
const mostTogether = 500;

/** One scan over all; one that throws does not stop the others. */
export function startHeartbeat({
  clock,
  timers = systemTimers,
  everyMs = 1_000,
  onError,
}: HeartbeatOptions): Heartbeat {
  const all = new Set<Beating>();
  let isScanning = false;
  const scanSome = (some: readonly Beating[], now: number) => {
    for (const each of some.slice(0, mostTogether)) {
      try {
        if (all.has(each)) each.beat(now);
      } catch (error) {
        onError(error);
      }
    }
    isScanning = some.length > mostTogether;
    if (isScanning) setImmediate(() => scanSome(some.slice(mostTogether), now));
  };
  const scan = () => {
    if (!isScanning) scanSome([...all], clock());
  };
  const stop = timers.every(everyMs, scan);
  return {
    add: (beating) => void all.add(beating),
    remove: (beating) => void all.delete(beating),
    get size() {
      return all.size;
    },
    stop,
  };
}
