import type { FastifyBaseLogger } from 'fastify';
import type { ProblemError } from '../problem.ts';

/** Says that a request failed on our side. */
export type LogFailure = (
  log: FastifyBaseLogger,
  problem: ProblemError,
  failure: { err: unknown; route: string | undefined },
) => void;

/** While it lasts, an outage is told this often. */
const reminderMs = 10_000;

/**
 * Bugs are logged one by one. When we cannot serve for now, hundreds of requests a second fail for one reason: the
 * first is logged, and then how many have followed.
 */
export function createFailureLog(nowMs: () => number = () => performance.now()): LogFailure {
  const outages = new Map<string, { toldAt: number; refused: number }>();

  return (log, problem, failure) => {
    if (problem.status !== 503) return log.error(failure, 'request failed');
    const now = nowMs();
    const outage = outages.get(problem.code);
    if (outage && now - outage.toldAt < reminderMs) {
      outage.refused += 1;
      return;
    }
    outages.set(problem.code, { toldAt: now, refused: 0 });
    log.error({ ...failure, refusedSince: outage?.refused ?? 0 }, 'requests fail for now');
  };
}
