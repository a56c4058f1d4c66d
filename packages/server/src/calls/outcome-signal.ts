/** Wakes the requests of this process that wait for the outcome of calls, by tenant. */
export type OutcomeSignal = {
  /** Reports that a call of the tenant has changed. Neither waits nor fails. */
  notify(tenantId: number): void;
  /**
   * Resolves soon after the next change, and after a while without one. A caller that reads the calls after it has asked
   * for this promise misses no change.
   */
  next(tenantId: number): Promise<void>;
};

type Wait = { readonly over: Promise<void>; end(): void; timer: NodeJS.Timeout; isNotified: boolean };

/** Changes by another server or a provider notify nobody here: they are found by polling. */
const pollMs = 500;
/** Changes within this time wake the waiting requests once. */
const gatherMs = 25;

/** All requests of a tenant share one wait, so that they read the database together. */
export function createOutcomeSignal(settings: { pollMs: number } = { pollMs }): OutcomeSignal {
  const waits = new Map<number, Wait>();

  const begin = (tenantId: number): Wait => {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const wait = { over, end, timer: endLater(tenantId, settings.pollMs), isNotified: false };
    waits.set(tenantId, wait);
    return wait;
  };
  const endLater = (tenantId: number, ms: number) =>
    setTimeout(() => {
      const wait = waits.get(tenantId);
      waits.delete(tenantId);
      wait?.end();
    }, ms).unref();

  return {
    notify: (tenantId) => {
      const wait = waits.get(tenantId);
      if (!wait || wait.isNotified) return;
      wait.isNotified = true;
      clearTimeout(wait.timer);
      wait.timer = endLater(tenantId, gatherMs);
    },
    next: (tenantId) => (waits.get(tenantId) ?? begin(tenantId)).over,
  };
}
