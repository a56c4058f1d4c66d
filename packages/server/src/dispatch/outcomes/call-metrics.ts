import { Counter, Histogram, type Registry } from 'prom-client';
import type { EndedAttempt } from '../traces/trace-attempt.ts';

/** An attempt has got a new status, or has ended. */
export type AttemptChange = {
  readonly medium: string;
  readonly outcome: string;
  /** It has ended with the status that it had. */
  readonly isSameStatus?: boolean;
  /** Present when a traced attempt has ended. */
  readonly ended?: EndedAttempt | undefined;
};

/** Counts changes of attempts after they were committed. */
export type CountAttempts = (changes: readonly AttemptChange[]) => void;

export type CallMetrics = {
  readonly countAttempts: CountAttempts;
  /** Records how long escalations have waited for their first call. */
  observeFirstCalls(seconds: readonly number[]): void;
};

/** Without a registry nothing is counted. */
export function createCallMetrics(registry: Registry | undefined): CallMetrics {
  if (!registry) return { countAttempts: () => {}, observeFirstCalls: () => {} };
  const attempts = new Counter({
    name: 'tocsin_call_attempts_total',
    help: 'Attempts to reach a person that got this outcome, by medium; calling means handed to a channel.',
    labelNames: ['medium', 'outcome'],
    registers: [registry],
  });
  const firstCall = new Histogram({
    name: 'tocsin_first_call_seconds',
    help: 'Time from when the first call for an alarm was due until it was handed to a channel.',
    buckets: [0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600],
    registers: [registry],
  });
  return {
    countAttempts: (changes) => {
      for (const { medium, outcome, isSameStatus } of changes)
        if (!isSameStatus) attempts.inc({ medium, outcome });
    },
    observeFirstCalls: (seconds) => {
      for (const each of seconds) firstCall.observe(each);
    },
  };
}

type CalledAttempt = { escalationId: number; occasion: string; isFirstCall: boolean; firstDueAt: Date };

/** How long each escalation among these attempts has waited for its first call. Messages that need no answer are left out. */
export function firstCallSeconds(called: readonly CalledAttempt[], now: Date): number[] {
  const first = called.filter(
    ({ isFirstCall, occasion }) => isFirstCall && (occasion === 'raised' || occasion === 'requested'),
  );
  // An escalation may call several people at once.
  const dueTimes = new Map(first.map(({ escalationId, firstDueAt }) => [escalationId, firstDueAt]));
  return [...dueTimes.values()].map((dueAt) => Math.max(0, (now.getTime() - dueAt.getTime()) / 1_000));
}
