import type { CallState, CallStatus } from './call.store.ts';

/** The outcome of a whole call, as clients wait for it; `open` while somebody may still be reached. */
export type CallOutcome = 'open' | 'reached' | 'missed';

const reachedStatuses: readonly CallStatus[] = ['Delivered', 'Acknowledged'];

/**
 * Derives the outcome of a call from its attempts. One good attempt reaches a person, and all people must be reached. A
 * failed attempt decides nothing, because another may follow while the escalation is open.
 */
export function outcomeOf({ closedReason, attempts }: CallState): CallOutcome {
  const reached = new Set(
    attempts.filter(({ status }) => reachedStatuses.includes(status)).map(({ userId }) => userId),
  );
  const isReached = attempts.length > 0 && attempts.every(({ userId }) => reached.has(userId));
  if (isReached || closedReason === 'reached') return 'reached';
  return closedReason === null ? 'open' : 'missed';
}
