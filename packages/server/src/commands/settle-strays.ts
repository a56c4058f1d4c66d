import { forEachTenant } from '../postgres/each-tenant.ts';
import { inTenant, outsideTenants } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { type TakenRun, takeLateRuns, takeStrayRuns } from './command-lease.store.ts';
import { endRun } from './command-run.store.ts';
import { bareOutcome, type RunOutcome } from './runner-messages.ts';

const silent = bareOutcome('unknown', 'the server fell silent while the program ran');
const late = bareOutcome('refused', 'no server that may run commands took it up in time');

/** Gives an end to runs that nobody else will: of servers that fell silent, and where no server may run commands. */
export async function settleStrays(runtime: Runtime, wanted: number): Promise<void> {
  const { database } = runtime;
  const strays = await outsideTenants(database, (outside) => takeStrayRuns(outside, wanted));
  await settle(runtime, strays, silent);
  const overdue = await outsideTenants(database, (outside) => takeLateRuns(outside, wanted));
  await settle(runtime, overdue, late);
}

async function settle(
  { database, log }: Runtime,
  taken: readonly TakenRun[],
  outcome: RunOutcome,
): Promise<void> {
  const byTenant = Map.groupBy(taken, (run) => run.tenantId);
  await forEachTenant(byTenant.keys(), { log, job: 'end commands' }, (tenantId) =>
    inTenant(database, tenantId, async (transaction) => {
      for (const { id, fence } of byTenant.get(tenantId) ?? [])
        await endRun(transaction, { id, fence, outcome });
    }),
  );
}
