import { addSeconds } from '@tocsin/domain';
import { deleteTemporaryTags as deleteBatch } from '../alarms/store/temporary-tag.store.ts';
import { lockCounters } from '../journal/journal.store.ts';
import { forEachTenant } from '../postgres/each-tenant.ts';
import { historiesKeptFrom } from '../postgres/partitions.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, outsideTenants } from '../postgres/tenant-transaction.ts';
import { tenantsWithTemporaryTags } from './tenants-with-work.store.ts';

/** Alarms of the tenant wait for a batch, so it takes a fraction of a second. */
const batchSize = 200;
/** The next run continues. */
const maxRounds = 50;
const restSeconds = 86_400;

/** Deletes temporary tags that have been at rest for a day and have no history. 0 months keep all histories. */
export async function deleteTemporaryTags(
  { database, log }: Runtime,
  retentionMonths: number,
): Promise<void> {
  const tenantIds = await outsideTenants(database, (transaction) => {
    const restingSince = addSeconds(transaction.now, -restSeconds);
    return tenantsWithTemporaryTags(transaction, { retentionMonths, restingSince });
  });
  await forEachTenant(tenantIds, { log, job: 'delete temporary tags' }, async (tenantId) => {
    for (let round = 0; round < maxRounds; round += 1) {
      const deleted = await inTenant(database, tenantId, async (transaction) => {
        const keptFrom =
          retentionMonths === 0 ? undefined : await historiesKeptFrom(transaction, retentionMonths);
        await lockCounters(transaction);
        const restingSince = addSeconds(transaction.now, -restSeconds);
        return deleteBatch(transaction, { keptFrom, restingSince }, batchSize);
      });
      if (deleted > 0) log.info({ tenantId, tags: deleted }, 'temporary tags deleted');
      if (deleted < batchSize) return;
    }
  });
}
