import { addSeconds } from '@tocsin/domain';

/** Failed log-ins of one subject. */
export type LoginFailures = { failures: number; lastAt: Date; retryAt: Date };

/**
 * The keys under which failed log-ins are counted: the network, the name in that network, and the name anywhere.
 * `knownNetwork` is not a count: its row exists while the name has recently logged in from the network.
 */
export type LoginSubjects = { address: string; nameInNetwork: string; name: string; knownNetwork: string };

export const knownNetworkPrefix = 'knownNetwork:';

/** The failure from which on each one causes a delay. Higher where innocent users share the count. */
export const firstDelayedFailure = { nameInNetwork: 5, address: 20, name: 50 } as const;

const maxDelaySeconds = 300;
const failureMemorySeconds = 86_400;
const knownNetworkSeconds = 30 * 86_400;

/** Counts one more failure. From `firstDelayed` on each one doubles the delay, up to five minutes. */
export function afterFailure(
  before: LoginFailures | undefined,
  firstDelayed: number,
  now: Date,
): LoginFailures {
  const failures = 1 + (before && before.lastAt > failuresExpireBefore(now) ? before.failures : 0);
  const delay = failures < firstDelayed ? 0 : Math.min(2 ** (failures - firstDelayed), maxDelaySeconds);
  return { failures, lastAt: now, retryAt: addSeconds(now, delay) };
}

/** Whole seconds until the next log-in is checked; 0 if it is checked now. */
export function secondsToWait(failures: readonly LoginFailures[], now: Date): number {
  const waits = failures.map(({ retryAt }) => Math.ceil((retryAt.getTime() - now.getTime()) / 1_000));
  return Math.max(0, ...waits);
}

/** Failures expire after a day without another one. */
export function failuresExpireBefore(now: Date): Date {
  return addSeconds(now, -failureMemorySeconds);
}

/** A network stays known for 30 days after the last log-in. */
export function networksExpireBefore(now: Date): Date {
  return addSeconds(now, -knownNetworkSeconds);
}
