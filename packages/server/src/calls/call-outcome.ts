import type { CallStatus } from './call.store.ts';

/** `open` while somebody may still be reached who was not yet. */
export type CallOutcome = 'open' | 'reached' | 'missed';

const reachedStatuses: readonly CallStatus[] = ['Delivered', 'Acknowledged'];
const openStatuses: readonly CallStatus[] = ['Queued', 'Calling'];

/** How a call stands as a whole: it takes one good attempt to reach a person, and every person to succeed. */
export function outcomeOf(attempts: readonly { userId: number; status: CallStatus }[]): CallOutcome {
  const reached = new Set(usersWith(attempts, reachedStatuses));
  if (usersWith(attempts, openStatuses).some((userId) => !reached.has(userId))) return 'open';
  return attempts.every(({ userId }) => reached.has(userId)) ? 'reached' : 'missed';
}

function usersWith(
  attempts: readonly { userId: number; status: CallStatus }[],
  statuses: readonly CallStatus[],
): number[] {
  return attempts.filter(({ status }) => statuses.includes(status)).map(({ userId }) => userId);
}
