import { addSeconds } from '../time/instant.ts';
import { type AlarmState, isActive, isMasked, stateBits } from './alarm-state.ts';

/** Suppresses the calls for an alarm. It always has a reason and always expires. */
export type Mask = { reason: string; until: Date; by: string };

export const defaultMaskSeconds = 8 * 3600;

const minMaskSeconds = 1;

export function maskUntil({
  now,
  seconds = defaultMaskSeconds,
  maximumSeconds,
}: {
  now: Date;
  seconds?: number | undefined;
  maximumSeconds: number;
}): Date {
  return addSeconds(now, Math.max(minMaskSeconds, Math.min(seconds, maximumSeconds)));
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

/** Whether an alarm in this state, whose mask has just been removed, must be announced again. */
export function needsReannouncement(state: AlarmState): boolean {
  return isActive(state) && !isMasked(state);
}
