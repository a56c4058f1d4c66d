import { forEachTenant } from '../postgres/each-tenant.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, outsideTenants } from '../postgres/tenant-transaction.ts';
import { type ClaimedRun, claimAbandonedRuns, claimLateRuns } from './command-lease.store.ts';
import { endRun } from './command-run.store.ts';
import { bareOutcome, type RunOutcome } from './runner-messages.ts';

const silent = bareOutcome('unknown', 'the server fell silent while the program ran');
const late = bareOutcome('refused', 'no server that may run commands took it up in time');

/** Ends runs whose server died or hangs, and runs that no server claimed in time. */
export async function settleAbandonedRuns(runtime: Runtime, wanted: number): Promise<void> {
  const { database } = runtime;
  const abandoned = await outsideTenants(database, (outside) => claimAbandonedRuns(outside, wanted));
  await settle(runtime, abandoned, silent);
  const overdue = await outsideTenants(database, (outside) => claimLateRuns(outside, wanted));
  await settle(runtime, overdue, late);
}

async function settle(
  { database, log }: Runtime,
  claims: readonly ClaimedRun[],
  outcome: RunOutcome,
): Promise<void> {
  const byTenant = Map.groupBy(claims, (run) => run.tenantId);
  await forEachTenant(byTenant.keys(), { log, job: 'end commands' }, (tenantId) =>
    inTenant(database, tenantId, async (transaction) => {
      for (const { id, fencingToken } of byTenant.get(tenantId) ?? [])
        await endRun(transaction, { id, fencingToken, outcome });
    }),
  );
}
