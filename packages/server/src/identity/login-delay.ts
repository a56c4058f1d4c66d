import { addSeconds } from '@tocsin/domain';

/** Failed log-ins of one subject. */
export type LoginFailures = { failures: number; lastAt: Date; retryAt: Date };

/**
 * Under what failed log-ins are counted: where they came from, the name tried from there, and the name from
 * anywhere. `home` is no count: it is kept while the name has come in from there of late.
 */
export type LoginSubjects = { address: string; nameThere: string; name: string; home: string };

export const homePrefix = 'home:';

/** The failure from which on each costs a wait. People share an address, and anybody can try a name from elsewhere. */
export const patience = { nameThere: 5, address: 20, name: 50 } as const;

const longestDelaySeconds = 300;
const memorySeconds = 86_400;
const homeSeconds = 30 * 86_400;

/** The count after one more failure: from `costly` on, each doubles the wait, up to five minutes. */
export function afterFailure(before: LoginFailures | undefined, costly: number, now: Date): LoginFailures {
  const failures = 1 + (before && before.lastAt > forgottenBefore(now) ? before.failures : 0);
  const delay = failures < costly ? 0 : Math.min(2 ** (failures - costly), longestDelaySeconds);
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

/** Where somebody came in is remembered for 30 days. */
export function strangeBefore(now: Date): Date {
  return addSeconds(now, -homeSeconds);
}
