import type { Database } from '../postgres/database.ts';
import { outsideTenants } from '../postgres/tenant-transaction.ts';
import { ProblemError } from '../problem.ts';
import { listLoginFailures, lockLoginFailures, saveLoginFailures } from './login-delay.store.ts';
import { afterFailure, type LoginSubjects, patience, secondsToWait, strangeBefore } from './login-delay.ts';

/**
 * Answers 429 while the address or the name has to wait. An attempt that is refused here does not count. What others
 * try from elsewhere keeps nobody out of where they came in of late.
 */
export async function refuseWhileDelayed(database: Database, subjects: LoginSubjects): Promise<void> {
  const wait = await outsideTenants(database, async (transaction) => {
    const { now } = transaction;
    const found = await listLoginFailures(transaction, Object.values(subjects));
    const isHome = found.some(
      ({ subject, lastAt }) => subject === subjects.home && lastAt > strangeBefore(now),
    );
    return secondsToWait(
      found.filter(({ subject }) => !isHome || subject !== subjects.name),
      now,
    );
  });
  if (wait === 0) return;
  throw new ProblemError('too-many-requests', `Too many failed log-ins; try again in ${wait} s`, {
    headers: { 'retry-after': String(wait) },
  });
}

export async function countLoginFailure(database: Database, subjects: LoginSubjects): Promise<void> {
  await outsideTenants(database, async (transaction) => {
    const { now } = transaction;
    // Always in this order, so that two failures at once cannot deadlock.
    for (const kind of ['address', 'nameThere', 'name'] as const) {
      const subject = subjects[kind];
      const counted = afterFailure(await lockLoginFailures(transaction, subject), patience[kind], now);
      await saveLoginFailures(transaction, subject, counted);
    }
  });
}
