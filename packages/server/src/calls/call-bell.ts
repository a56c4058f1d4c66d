/** Wakes all who wait in this process for something to become of calls of a tenant. */
export type CallBell = {
  /** Something became of a call. Neither waits nor fails. */
  ring(tenantId: number): void;
  /** Resolves soon after the next ring, and after a while without one. Whoever looks after asking for it misses nothing. */
  next(tenantId: number): Promise<void>;
};

type Turn = { readonly over: Promise<void>; end(): void; timer: NodeJS.Timeout; isRung: boolean };

/** Nobody rings for what another server did, nor for what a provider reports: this long it can go unnoticed. */
const pollMs = 500;
/** What becomes of calls within this time is looked at in one go. */
const gatherMs = 25;

/** All who wait of a tenant wait for the same turn, so that they can look together. */
export function createCallBell(settings: { pollMs: number } = { pollMs }): CallBell {
  const turns = new Map<number, Turn>();

  const begin = (tenantId: number): Turn => {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const turn = { over, end, timer: endLater(tenantId, settings.pollMs), isRung: false };
    turns.set(tenantId, turn);
    return turn;
  };
  const endLater = (tenantId: number, ms: number) =>
    setTimeout(() => {
      const turn = turns.get(tenantId);
      turns.delete(tenantId);
      turn?.end();
    }, ms).unref();

  return {
    ring: (tenantId) => {
      const turn = turns.get(tenantId);
      if (!turn || turn.isRung) return;
      turn.isRung = true;
      clearTimeout(turn.timer);
      turn.timer = endLater(tenantId, gatherMs);
    },
    next: (tenantId) => (turns.get(tenantId) ?? begin(tenantId)).over,
  };
}
