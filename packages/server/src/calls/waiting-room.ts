/** The places of those who wait for the outcome of a call, counted by tenant. */
export type WaitingRoom = {
  /** Takes a place and answers how to leave it; undefined when the tenant has no place left. */
  enter(tenantId: number): (() => void) | undefined;
  waiting(tenantId: number): number;
};

/** Each tenant has `places`: one that fills all of its own takes none from another. */
export function createWaitingRoom(places: number): WaitingRoom {
  const counts = new Map<number, number>();
  const waiting = (tenantId: number) => counts.get(tenantId) ?? 0;
  const leave = (tenantId: number) => {
    const left = waiting(tenantId) - 1;
    if (left > 0) counts.set(tenantId, left);
    else counts.delete(tenantId);
  };
  return {
    waiting,
    enter: (tenantId) => {
      if (waiting(tenantId) >= places) return undefined;
      counts.set(tenantId, waiting(tenantId) + 1);
      return () => leave(tenantId);
    },
  };
}
