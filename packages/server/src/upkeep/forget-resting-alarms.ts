import { addSeconds } from '@tocsin/domain';
import { forgetRestingAlarms as forgetSome } from '../alarms/store/recent-alarm.store.ts';
import { forEachTenant } from '../postgres/each-tenant.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, outsideTenants } from '../postgres/tenant-transaction.ts';
import { tenantsWithRestingAlarms } from './tenants-with-work.store.ts';

/** Raises of these tags wait for a batch, so it takes a few milliseconds. */
const batchSize = 500;
const restSeconds = 86_400;

/** Alarms that have been at rest for a day are no longer looked at when the current ones are listed. */
export async function forgetRestingAlarms({ database, log }: Runtime): Promise<void> {
  const tenantIds = await outsideTenants(database, (transaction) =>
    tenantsWithRestingAlarms(transaction, addSeconds(transaction.now, -restSeconds)),
  );
  await forEachTenant(tenantIds, { log, job: 'forget resting alarms' }, async (tenantId) => {
    let forgotten = batchSize;
    while (forgotten === batchSize)
      forgotten = await inTenant(database, tenantId, (transaction) =>
        forgetSome(transaction, addSeconds(transaction.now, -restSeconds), batchSize),
      );
  });
}
