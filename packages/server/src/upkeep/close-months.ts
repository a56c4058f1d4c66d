import { addSeconds } from '@tocsin/domain';
import { closeMonth } from '../history/closed-month.store.ts';
import { forEachTenant } from '../postgres/each-tenant.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, outsideTenants, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { tenantsWithOpenMonths } from './tenants-with-work.store.ts';

/** Servers whose clocks differ may still raise alarms in a month that has just ended. */
const waitSeconds = 86_400;

/** Builds the sums of months that have ended. Each month is a transaction, because writers of alarms wait for it. */
export async function closeMonths({ database, log }: Runtime): Promise<void> {
  const tenantIds = await outsideTenants(database, (transaction) =>
    tenantsWithOpenMonths(transaction, addSeconds(transaction.now, -waitSeconds)),
  );
  await forEachTenant(tenantIds, { log, job: 'close months' }, async (tenantId) => {
    const close = (transaction: TenantTransaction) =>
      closeMonth(transaction, addSeconds(transaction.now, -waitSeconds));
    while (await inTenant(database, tenantId, close));
  });
}
