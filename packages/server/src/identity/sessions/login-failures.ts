import { ProblemError } from '../../common/problem.ts';
import type { Database } from '../../postgres/database.ts';
import { outsideTenants } from '../../postgres/tenant-transaction.ts';
import { listLoginFailures, lockLoginFailures, saveLoginFailures } from './login-delay.store.ts';
import {
  afterFailure,
  firstDelayedFailure,
  type LoginSubjects,
  networksExpireBefore,
  secondsToWait,
} from './login-delay.ts';

/**
 * Answers 429 while the network or the name is delayed. An attempt that is refused here does not count. In a known
 * network, failures of the name elsewhere do not delay the user.
 */
export async function refuseWhileDelayed(database: Database, subjects: LoginSubjects): Promise<void> {
  const wait = await outsideTenants(database, async (transaction) => {
    const { now } = transaction;
    const found = await listLoginFailures(transaction, Object.values(subjects));
    const isKnownNetwork = found.some(
      ({ subject, lastAt }) => subject === subjects.knownNetwork && lastAt > networksExpireBefore(now),
    );
    return secondsToWait(
      found.filter(({ subject }) => !isKnownNetwork || subject !== subjects.name),
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
    // Always in this order, so that concurrent failures cannot deadlock.
    for (const kind of ['address', 'nameInNetwork', 'name'] as const) {
      const subject = subjects[kind];
      const counted = afterFailure(
        await lockLoginFailures(transaction, subject),
        firstDelayedFailure[kind],
        now,
      );
      await saveLoginFailures(transaction, subject, counted);
    }
  });
}
