import { Gauge, type Registry } from 'prom-client';

export type DispatchReadings = {
  /** When each loop last completed a pass, by `performance.now()`. */
  readonly lastDone: ReadonlyMap<string, number>;
  /** Why calls are not made in time; undefined while they are. */
  fault(): string | undefined;
};

/** The loops without which nobody is called. They are served even before their first pass. */
export const essentialLoops = ['escalate', 'deliver'] as const;

/** Serves whether this dispatcher works. Ages instead of times of day, because the clock of the plant may be set. */
export function watchDispatch(registry: Registry, { lastDone, fault }: DispatchReadings): void {
  const healthy: Gauge = new Gauge({
    name: 'tocsin_dispatch_healthy',
    help: 'Whether this server calls people in time, as /dispatchz answers.',
    registers: [registry],
    collect: () => healthy.set(Number(fault() === undefined)),
  });
  const age: Gauge = new Gauge({
    name: 'tocsin_dispatch_pass_age_seconds',
    help: 'Time since each loop of the dispatcher last finished a pass.',
    labelNames: ['loop'],
    registers: [registry],
    collect: () => {
      const since = new Map<string, number>(essentialLoops.map((loop) => [loop, 0]));
      for (const [loop, doneMs] of lastDone) since.set(loop, doneMs);
      for (const [loop, doneMs] of since) age.set({ loop }, (performance.now() - doneMs) / 1_000);
    },
  });
}
