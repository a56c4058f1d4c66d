import type { Database } from '../postgres/database.ts';
import { outsideTenants } from '../postgres/tenant-transaction.ts';
import { ProblemError } from '../problem.ts';
import { listLoginFailures, lockLoginFailures, saveLoginFailures } from './login-delay.store.ts';
import { afterFailure, secondsToWait } from './login-delay.ts';
import type { LoginSubjects } from './login-subjects.ts';

/** Answers 429 while the name or the address has to wait. An attempt that is refused here does not count. */
export async function refuseWhileDelayed(database: Database, subjects: LoginSubjects): Promise<void> {
  const wait = await outsideTenants(database, async (transaction) =>
    secondsToWait(await listLoginFailures(transaction, Object.values(subjects)), transaction.now),
  );
  if (wait === 0) return;
  throw new ProblemError('too-many-requests', `Too many failed log-ins; try again in ${wait} s`, {
    headers: { 'retry-after': String(wait) },
  });
}

export async function countLoginFailure(database: Database, subjects: LoginSubjects): Promise<void> {
  await outsideTenants(database, async (transaction) => {
    const { now } = transaction;
    // Always in this order, so that two failures at once cannot deadlock.
    for (const subject of [subjects.address, subjects.name]) {
      const counted = afterFailure(await lockLoginFailures(transaction, subject), now);
      await saveLoginFailures(transaction, subject, counted);
    }
  });
}
