import { addSeconds } from '@tocsin/domain';
import { ProblemError } from '../../common/problem.ts';
import {
  listLoginFailures,
  lockLoginFailures,
  saveLoginFailures,
} from '../../identity/sessions/login-delay.store.ts';
import {
  failuresExpireBefore,
  type LoginSubjects,
  networksExpireBefore,
  secondsToWait,
} from '../../identity/sessions/login-delay.ts';
import type { Database } from '../../postgres/database.ts';
import { outsideTenants, type TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** Wrong passwords of a name that reach the directory at once. Most directories lock an account after five to ten. */
const freeTries = 4;
/** The time after which one more reaches it. */
const waitSeconds = 900;

/** A try that was counted before it was made, so that parallel guesses on several servers cannot exceed the limit. */
export type ReservedTry = {
  /** The password was right: the name starts from the beginning. */
  clear(): Promise<void>;
  /** The password did not reach the directory: the try does not count. */
  giveBack(): Promise<void>;
};

/**
 * Counts a try of a password at the directory, or answers 429. A network from which the user has logged in has a count of
 * its own, so that guesses elsewhere do not keep the user out.
 */
export async function reserveTry(database: Database, subjects: LoginSubjects): Promise<ReservedTry> {
  const subject = await outsideTenants(database, async (transaction) => {
    const { now } = transaction;
    const key = `directory ${(await isKnownNetwork(transaction, subjects)) ? subjects.nameInNetwork : subjects.name}`;
    const before = await lockLoginFailures(transaction, key);
    const wait = secondsToWait([before], now);
    if (wait > 0)
      throw new ProblemError('too-many-requests', `Too many failed log-ins; try again in ${wait} s`, {
        headers: { 'retry-after': String(wait) },
      });
    const failures = 1 + (before.lastAt > failuresExpireBefore(now) ? before.failures : 0);
    const retryAt = failures < freeTries ? now : addSeconds(now, waitSeconds);
    await saveLoginFailures(transaction, key, { failures, lastAt: now, retryAt });
    return key;
  });
  const change = (next: (failures: number) => number) => async () => {
    await outsideTenants(database, async (transaction) => {
      const { now } = transaction;
      const { failures } = await lockLoginFailures(transaction, subject);
      await saveLoginFailures(transaction, subject, { failures: next(failures), lastAt: now, retryAt: now });
    });
  };
  return { clear: change(() => 0), giveBack: change((failures) => Math.max(0, failures - 1)) };
}

async function isKnownNetwork(
  transaction: TenantTransaction,
  { knownNetwork }: LoginSubjects,
): Promise<boolean> {
  const [network] = await listLoginFailures(transaction, [knownNetwork]);
  return network !== undefined && network.lastAt > networksExpireBefore(transaction.now);
}
