import { setTimeout as sleep } from 'node:timers/promises';
import { forEachTenant } from '../postgres/each-tenant.ts';
import { dropRetiredMonth, retireMonths, tenantsToRetire } from '../postgres/partitions.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { isLockConflict } from '../postgres/tenant-transaction.ts';

/** How often a step is tried that others hold the locks of, and the pauses between. */
export type Patience = {
  attempts: number;
  pauseMs: number;
  /** How long it rests after each tenant, as a multiple of the time that the tenant took: alarms need the processor too. */
  restShare: number;
};

const defaultPatience: Patience = { attempts: 30, pauseMs: 1_000, restShare: 2 };

/** Progress is logged after so many tenants. */
const loggedTenants = 100;

/**
 * Ends the histories of months that are no longer kept, tenant by tenant, and drops the months that all tenants are past.
 * Returns the dropped months. It continues where an interrupted run ended. 0 months keep all.
 */
export async function dropOldMonths(
  runtime: Runtime,
  monthsKept: number,
  patience: Patience = defaultPatience,
): Promise<string[]> {
  if (monthsKept === 0) return [];
  await retireTenants(runtime, monthsKept, patience);
  const dropped: string[] = [];
  for (;;) {
    const month = await patiently(patience, () => dropRetiredMonth(runtime.database, monthsKept));
    if (month === undefined) return dropped;
    runtime.log.info({ month }, 'old month dropped');
    dropped.push(month);
  }
}

async function retireTenants(
  { database, log }: Runtime,
  monthsKept: number,
  patience: Patience,
): Promise<void> {
  const tenantIds = await tenantsToRetire(database, monthsKept);
  let done = 0;
  await forEachTenant(tenantIds, { log, job: 'drop old months' }, async (tenantId) => {
    const begunMs = performance.now();
    while (await patiently(patience, () => retireMonths(database, tenantId, monthsKept)));
    await sleep((performance.now() - begunMs) * patience.restShare);
    done += 1;
    if (done % loggedTenants === 0)
      log.info({ done, tenants: tenantIds.length }, 'histories of tenants shortened');
  });
  if (done < tenantIds.length)
    throw new Error(`the histories of ${tenantIds.length - done} tenants could not be shortened`);
}

/** Steps aside for others that hold a lock, and tries again. */
async function patiently<Result>(
  { attempts, pauseMs }: Patience,
  step: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await step();
    } catch (error) {
      if (!isLockConflict(error) || attempt === attempts) throw error;
    }
    await sleep(pauseMs);
  }
}
