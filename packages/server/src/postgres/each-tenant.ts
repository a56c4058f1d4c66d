import type { Logger } from 'pino';
import { ProblemError } from '../common/problem.ts';
import { isConnectionFailure } from './database.ts';

/** After this many tenants in a row without a connection, the database has failed rather than a tenant. */
const maxLostInARow = 3;

/**
 * Runs `work` for each tenant, one after the other. A failure for one tenant is logged and does not affect the others.
 * Ends early if the database has failed.
 */
export async function forEachTenant(
  tenantIds: Iterable<number>,
  { log, job }: { log: Logger; job: string },
  work: (tenantId: number) => Promise<void>,
): Promise<void> {
  let lostInARow = 0;
  for (const tenantId of tenantIds) {
    try {
      await work(tenantId);
      lostInARow = 0;
    } catch (error) {
      log.error({ err: error, tenantId, job }, 'job failed for a tenant');
      lostInARow = isLost(error) ? lostInARow + 1 : 0;
      if (lostInARow === maxLostInARow) throw error;
    }
  }
}

function isLost(error: unknown): boolean {
  return isConnectionFailure(error instanceof ProblemError ? error.cause : error);
}
