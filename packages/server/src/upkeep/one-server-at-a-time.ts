import type { Runtime } from '../postgres/runtime.ts';
import { outsideTenants } from '../postgres/tenant-transaction.ts';
import { claimJob, releaseJob } from './job-lease.store.ts';
import type { Job } from './upkeep.ts';

/** A run that takes longer may overlap with that of another server, which is safe. */
const leaseSeconds = 300;
/** How soon a server tries again that has found another one at work, which may have died. */
const retryMs = 60_000;

/** The job, which waits while another server runs it. */
export function oneServerAtATime({ name, everyMs, run }: Job, { database }: Runtime): Job {
  let dueAt = 0;
  return {
    name,
    everyMs: Math.min(everyMs, retryMs),
    run: async () => {
      // Process time: the clock of the plant may be set.
      if (performance.now() < dueAt) return;
      if (!(await outsideTenants(database, (transaction) => claimJob(transaction, name, leaseSeconds))))
        return;
      dueAt = performance.now() + everyMs;
      try {
        await run();
      } finally {
        await outsideTenants(database, (transaction) => releaseJob(transaction, name));
      }
    },
  };
}
