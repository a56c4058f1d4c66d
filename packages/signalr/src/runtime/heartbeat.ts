/** Called once a second to check timeouts, pings, expiry and slow consumers, instead of a timer for each. */
export type HeartbeatTarget = { onHeartbeat(now: number): void };

/** Injected, so that tests can control time. */
export type Timers = {
  /** Runs the function at an interval. Returns a function that stops it. */
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
  add(target: HeartbeatTarget): void;
  remove(target: HeartbeatTarget): void;
  readonly size: number;
  stop(): void;
};

export type HeartbeatOptions = {
  readonly clock: () => number;
  readonly timers?: Timers | undefined;
  readonly intervalMs?: number | undefined;
  readonly onError: (error: unknown) => void;
};

/** Targets checked before the event loop continues. */
const targetsPerSlice = 500;

/** Calls all targets at each interval. An error of one target does not affect the others. */
export function startHeartbeat({
  clock,
  timers = systemTimers,
  intervalMs = 1_000,
  onError,
}: HeartbeatOptions): Heartbeat {
  const all = new Set<HeartbeatTarget>();
  let isScanning = false;
  const scanSlice = (targets: readonly HeartbeatTarget[], now: number) => {
    for (const target of targets.slice(0, targetsPerSlice)) {
      try {
        if (all.has(target)) target.onHeartbeat(now);
      } catch (error) {
        onError(error);
      }
    }
    isScanning = targets.length > targetsPerSlice;
    if (isScanning) setImmediate(() => scanSlice(targets.slice(targetsPerSlice), now));
  };
  const scan = () => {
    if (!isScanning) scanSlice([...all], clock());
  };
  const stop = timers.every(intervalMs, scan);
  return {
    add: (target) => void all.add(target),
    remove: (target) => void all.delete(target),
    get size() {
      return all.size;
    },
    stop,
  };
}
