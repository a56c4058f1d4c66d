import type { Logger } from 'pino';
import { ProblemError } from '../problem.ts';
import { isConnectionFailure } from './database.ts';

/** So many tenants in a row without a connection: it is not the tenants that fail. */
const mostLostInARow = 3;

/**
 * Does something for each tenant, one after the other. Where it fails for one, that is logged and the others have their
 * turn all the same. Ends early when the database is gone.
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
      if (lostInARow === mostLostInARow) throw error;
    }
  }
}

function isLost(error: unknown): boolean {
  return isConnectionFailure(error instanceof ProblemError ? error.cause : error);
}
