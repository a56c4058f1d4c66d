import { addSeconds } from '@tocsin/domain';

/** Failed log-ins of one user name or from one address. */
export type LoginFailures = { failures: number; lastAt: Date; retryAt: Date };

const freeFailures = 5;
const longestDelaySeconds = 300;
const memorySeconds = 86_400;

/** The count after one more failure: from the fifth on, each doubles the wait, up to five minutes. */
export function afterFailure(before: LoginFailures | undefined, now: Date): LoginFailures {
  const failures = 1 + (before && before.lastAt > forgottenBefore(now) ? before.failures : 0);
  const delay = failures < freeFailures ? 0 : Math.min(2 ** (failures - freeFailures), longestDelaySeconds);
  return { failures, lastAt: now, retryAt: addSeconds(now, delay) };
}

/** Whole seconds until a log-in is looked at again; 0 when it is looked at now. */
export function secondsToWait(failures: readonly LoginFailures[], now: Date): number {
  const waits = failures.map(({ retryAt }) => Math.ceil((retryAt.getTime() - now.getTime()) / 1_000));
  return Math.max(0, ...waits);
}

/** Failures are forgotten after a day without another. */
export function forgottenBefore(now: Date): Date {
  return addSeconds(now, -memorySeconds);
}
