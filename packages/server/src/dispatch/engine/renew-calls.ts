import { inTenant } from '../../postgres/tenant-transaction.ts';
import type { Dispatch } from './dispatch.ts';
import { forEachTenantInParallel } from './for-each-tenant.ts';
import { byTenant, leaseMs } from './lease.store.ts';
import { renewCalls } from './phone-line.store.ts';

/** Renews the leases of the calls that live in this process. When it dies, another dispatcher finds them lost. */
export async function renewLiveCalls({ runtime, calls, node }: Dispatch): Promise<void> {
  await forEachTenantInParallel(byTenant(calls.all()), runtime.log, (tenantId, some) =>
    inTenant(runtime.database, tenantId, (transaction) =>
      renewCalls(
        transaction,
        some.map(({ attemptId }) => attemptId),
        { node, leaseUntil: new Date(transaction.now.getTime() + leaseMs) },
      ),
    ),
  );
}
