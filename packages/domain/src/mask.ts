import { type AlarmState, isActive, isMasked, stateBits } from './alarm-state.ts';
import { addSeconds } from './instant.ts';

/** A user's wish not to be called for an alarm. It always has a reason and always ends by itself. */
export type Mask = { reason: string; until: Date; by: string };

export const defaultMaskSeconds = 8 * 3600;

const minimumMaskSeconds = 1;

export function maskUntil({
  now,
  seconds = defaultMaskSeconds,
  maximumSeconds,
}: {
  now: Date;
  seconds?: number | undefined;
  maximumSeconds: number;
}): Date {
  return addSeconds(now, Math.max(minimumMaskSeconds, Math.min(seconds, maximumSeconds)));
}

export function mask(state: AlarmState): AlarmState {
  return state | stateBits.maskedByUser;
}

export function unmask(state: AlarmState): AlarmState {
  return state & ~stateBits.maskedByUser;
}

export function hasExpired({ until }: Mask, now: Date): boolean {
  return until <= now;
}

/** Whether an alarm in this state, from which a mask has just been taken, must be announced again. */
export function needsReannouncement(state: AlarmState): boolean {
  return isActive(state) && !isMasked(state);
}
