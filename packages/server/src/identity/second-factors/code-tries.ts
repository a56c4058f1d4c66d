import { addSeconds } from '@tocsin/domain';

/** Wrong codes of one user, since the last right one. */
export type CodeTries = { failures: number; lastAt: Date; retryAt: Date };

/** The wrong code from which on each one causes a wait. */
const firstDelayed = 5;
const maxDelaySeconds = 900;
const memorySeconds = 86_400;

/** Counts one more wrong code. From the fifth on each one doubles the wait, up to 15 minutes. */
export function afterWrongCode(before: CodeTries, now: Date): CodeTries {
  const isRecent = before.lastAt > addSeconds(now, -memorySeconds);
  const failures = 1 + (isRecent ? before.failures : 0);
  const delay = failures < firstDelayed ? 0 : Math.min(2 ** (failures - firstDelayed), maxDelaySeconds);
  return { failures, lastAt: now, retryAt: addSeconds(now, delay) };
}

/** Whole seconds until the next code is checked; 0 if it is checked now. */
export function secondsToNextCode({ retryAt }: CodeTries, now: Date): number {
  return Math.max(0, Math.ceil((retryAt.getTime() - now.getTime()) / 1_000));
}
