/** Counts the requests of each tenant that wait for the outcome of a call. */
export type WaitLimits = {
  /** Counts one more request and returns how to release it; undefined when the tenant is at its limit. */
  acquire(tenantId: number): (() => void) | undefined;
  waiting(tenantId: number): number;
};

export function createWaitLimits(maxPerTenant: number): WaitLimits {
  const counts = new Map<number, number>();
  const waiting = (tenantId: number) => counts.get(tenantId) ?? 0;
  const release = (tenantId: number) => {
    const rest = waiting(tenantId) - 1;
    if (rest > 0) counts.set(tenantId, rest);
    else counts.delete(tenantId);
  };
  return {
    waiting,
    acquire: (tenantId) => {
      if (waiting(tenantId) >= maxPerTenant) return undefined;
      counts.set(tenantId, waiting(tenantId) + 1);
      return () => release(tenantId);
    },
  };
}
