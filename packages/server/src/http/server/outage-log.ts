import type { FastifyBaseLogger } from 'fastify';
import type { ProblemError } from '../../common/problem.ts';

/** Logs a request that failed because of the server. */
export type LogFailure = (
  log: FastifyBaseLogger,
  problem: ProblemError,
  failure: { err: unknown; route: string | undefined },
) => void;

/** How often a lasting outage is logged. */
const reminderMs = 10_000;

/**
 * Logs each bug. In an outage hundreds of requests a second fail for the same reason, so the first one is logged, and
 * then the number of those that followed.
 */
export function createFailureLog(nowMs: () => number = () => performance.now()): LogFailure {
  const outages = new Map<string, { loggedAt: number; refused: number }>();

  return (log, problem, failure) => {
    if (problem.status !== 503) return log.error(failure, 'request failed');
    const now = nowMs();
    const outage = outages.get(problem.code);
    if (outage && now - outage.loggedAt < reminderMs) {
      outage.refused += 1;
      return;
    }
    outages.set(problem.code, { loggedAt: now, refused: 0 });
    log.error({ ...failure, refusedSince: outage?.refused ?? 0 }, 'requests fail during an outage');
  };
}
