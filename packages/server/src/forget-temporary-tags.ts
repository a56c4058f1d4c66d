import { addSeconds } from '@tocsin/domain';
import { forgetTemporaryTags as forgetSome } from './alarms/temporary-tag.store.ts';
import { lockHeads } from './journal/journal.store.ts';
import { listTenantIds } from './people/tenant.store.ts';
import { forEachTenant } from './postgres/each-tenant.ts';
import { historiesKeptFrom } from './postgres/partitions.ts';
import { inTenant, outsideTenants } from './postgres/tenant-transaction.ts';
import type { Runtime } from './runtime.ts';

/** A fraction of a second, for which alarms of the tenant wait. */
const tagsAtOnce = 200;
/** What is left is for the next turn. */
const mostRounds = 50;
const restSeconds = 86_400;

/** Forgets temporary tags that have been at rest for a day and have no history left. 0 months keep all histories. */
export async function forgetTemporaryTags(
  { database, log }: Runtime,
  retentionMonths: number,
): Promise<void> {
  const tenantIds = await outsideTenants(database, listTenantIds);
  await forEachTenant(tenantIds, { log, job: 'forget temporary tags' }, async (tenantId) => {
    for (let round = 0; round < mostRounds; round += 1) {
      const forgotten = await inTenant(database, tenantId, async (transaction) => {
        const keptFrom =
          retentionMonths === 0 ? undefined : await historiesKeptFrom(transaction, retentionMonths);
        await lockHeads(transaction);
        const restingSince = addSeconds(transaction.now, -restSeconds);
        return forgetSome(transaction, { keptFrom, restingSince }, tagsAtOnce);
      });
      if (forgotten > 0) log.info({ tenantId, tags: forgotten }, 'temporary tags forgotten');
      if (forgotten < tagsAtOnce) return;
    }
  });
}
