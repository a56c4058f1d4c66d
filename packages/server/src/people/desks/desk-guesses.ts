import { addSeconds } from '@tocsin/domain';
import { failuresExpireBefore, type LoginFailures } from '../../identity/sessions/login-delay.ts';

/** A count of wrong PINs or badges, and the failure from which on each one causes a wait. */
export type GuessCount = { readonly subject: string; readonly firstDelayed: number };

const firstWaitSeconds = 60;
const maxWaitSeconds = 3_600;

/**
 * The counts that a try at a desk belongs to, in the order in which they are locked: the person at this desk, the desk,
 * and the person at all desks. A badge names nobody before it is known, so only the desk counts.
 */
export function guessCounts(
  tenantId: number,
  { deskSessionId, userId }: { deskSessionId: string; userId: number | undefined },
): GuessCount[] {
  const desk = { subject: `desk:${tenantId}/${deskSessionId}`, firstDelayed: 20 };
  if (userId === undefined) return [desk];
  return [
    { subject: `desk:${tenantId}/${deskSessionId}/${userId}`, firstDelayed: 5 },
    desk,
    { subject: `desk-person:${tenantId}/${userId}`, firstDelayed: 20 },
  ];
}

/** Counts one more wrong try. From `firstDelayed` on each one doubles the wait, from a minute up to an hour. */
export function afterWrongGuess(before: LoginFailures, firstDelayed: number, now: Date): LoginFailures {
  const failures = 1 + (before.lastAt > failuresExpireBefore(now) ? before.failures : 0);
  const doublings = failures - firstDelayed;
  const wait = doublings < 0 ? 0 : Math.min(firstWaitSeconds * 2 ** doublings, maxWaitSeconds);
  return { failures, lastAt: now, retryAt: addSeconds(now, wait) };
}
