import { forEachTenant } from '../postgres/each-tenant.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, outsideTenants } from '../postgres/tenant-transaction.ts';
import { serverItself } from './decide/alarm-command.ts';
import { expiredMasks, tenantsWithExpiredMasks } from './store/alarm.store.ts';
import type { AlarmWriter } from './write/alarm-writer.ts';

/** Ends the expired masks of all tenants. Alarms that are still active are announced again. */
export async function expireMasks({ database, log }: Runtime, writer: AlarmWriter): Promise<void> {
  const tenantIds = await outsideTenants(database, (transaction) =>
    tenantsWithExpiredMasks(transaction, transaction.now),
  );
  await forEachTenant(tenantIds, { log, job: 'end masks' }, async (tenantId) => {
    const tagIds = await inTenant(database, tenantId, (transaction) =>
      expiredMasks(transaction, transaction.now),
    );
    await Promise.all(
      tagIds.map((tagId) => writer.submit(tenantId, { kind: 'end-mask', tagId, actor: serverItself })),
    );
  });
}
