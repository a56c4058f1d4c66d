import { forEachTenant } from '../postgres/each-tenant.ts';
import { inTenant, outsideTenants } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { expiredMasks, tenantsWithExpiredMasks } from './alarm.store.ts';
import { serverItself } from './alarm-command.ts';
import type { AlarmWriter } from './alarm-writer.ts';

/** Ends the masks that have run out, in every tenant, and announces again what is still in alarm. */
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
