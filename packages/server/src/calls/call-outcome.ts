import type { CallStanding, CallStatus } from './call.store.ts';

/** `open` while somebody may still be reached who was not yet. */
export type CallOutcome = 'open' | 'reached' | 'missed';

const reachedStatuses: readonly CallStatus[] = ['Delivered', 'Acknowledged'];

/**
 * How a call stands as a whole: it takes one good attempt to reach a person, and every person to succeed. An attempt
 * that failed says little, for another may follow: as long as somebody is being called, nobody is missed.
 */
export function outcomeOf({ closedReason, attempts }: CallStanding): CallOutcome {
  const reached = new Set(
    attempts.filter(({ status }) => reachedStatuses.includes(status)).map(({ userId }) => userId),
  );
  const isReached = attempts.length > 0 && attempts.every(({ userId }) => reached.has(userId));
  if (isReached || closedReason === 'reached') return 'reached';
  return closedReason === null ? 'open' : 'missed';
}
