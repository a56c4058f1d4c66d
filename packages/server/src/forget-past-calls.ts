import { forgetCalls } from './calls/old-call.store.ts';
import { forgetRuns } from './commands/old-run.store.ts';
import { forgetCallbacks } from './dispatch/answer-callback.store.ts';
import { forgetDuties } from './duties/old-duty.store.ts';
import { listTenantIds } from './people/tenant.store.ts';
import { forEachTenant } from './postgres/each-tenant.ts';
import { historiesKeptFrom } from './postgres/partitions.ts';
import { inTenant, outsideTenants, type TenantTransaction } from './postgres/tenant-transaction.ts';
import type { Runtime } from './runtime.ts';

/** Rows that one transaction deletes: a fraction of a second, for which nobody waits. */
const batch = { duties: 100, attempts: 1_000, others: 500 };
/** A server that is asked to stop waits for a turn to end; what is left is for the next one. */
const mostRounds = 40;

export type Forgotten = { duties: number; attempts: number; calls: number; runs: number };

/**
 * Forgets what was done about alarms whose histories are gone, and reports of providers that nobody can repeat any more. In
 * batches, one of each tenant and then a second of each; several servers may do it at once. 0 months keep all calls.
 */
export async function forgetPastCalls(
  { database, log }: Runtime,
  retentionMonths: number,
): Promise<Forgotten> {
  let tenantIds = await outsideTenants(database, listTenantIds);
  const forgotten: Forgotten = { duties: 0, attempts: 0, calls: 0, runs: 0 };
  for (let round = 0; round < mostRounds && tenantIds.length > 0; round += 1) {
    const unfinished: number[] = [];
    await forEachTenant(tenantIds, { log, job: 'forget past calls' }, async (tenantId) => {
      const { isFull, ...counts } = await inTenant(database, tenantId, (transaction) =>
        forgetSome(transaction, retentionMonths),
      );
      if (isFull) unfinished.push(tenantId);
      forgotten.duties += counts.duties;
      forgotten.attempts += counts.attempts;
      forgotten.calls += counts.calls;
      forgotten.runs += counts.runs;
    });
    tenantIds = unfinished;
  }
  if (Object.values(forgotten).some((count) => count > 0)) log.info(forgotten, 'past calls forgotten');
  return forgotten;
}

async function forgetSome(
  transaction: TenantTransaction,
  retentionMonths: number,
): Promise<Forgotten & { isFull: boolean }> {
  const callbacks = await forgetCallbacks(transaction, batch.others);
  const none = { duties: 0, attempts: 0, calls: 0, runs: 0, isFull: callbacks === batch.others };
  if (retentionMonths === 0) return none;
  const keptFrom = await historiesKeptFrom(transaction, retentionMonths);
  const { duties, attempts, isFull } = await forgetDuties(transaction, keptFrom, batch);
  const calls = await forgetCalls(transaction, keptFrom, batch.others);
  const runs = await forgetRuns(transaction, keptFrom, batch.others);
  const isOther = [callbacks, calls, runs].includes(batch.others);
  return { duties, attempts, calls, runs, isFull: isFull || isOther };
}
