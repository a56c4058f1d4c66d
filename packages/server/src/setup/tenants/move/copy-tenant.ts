import { setTimeout as sleep } from 'node:timers/promises';
import { deleteCopy } from './delete-copy.store.ts';
import type { Move } from './move.ts';
import { readMovedTables } from './moved-tables.ts';
import { publishTenant, readOldestMonth, unpublishTenant } from './source-cell.store.ts';
import { expectTenant, makeMonths, readCopyProgress, subscribe, unsubscribe } from './target-cell.store.ts';

const pollMs = 250;
const reportMs = 5_000;

/** Copies the rows of the tenant to the other cell, which follows their changes afterwards. The tenant works on. */
export async function copyTenant({ tenant, source, target, sourceUrl, log }: Move): Promise<void> {
  // What an interrupted move has left.
  await unsubscribe(target, tenant.id);
  await unpublishTenant(source, tenant.id);
  await expectTenant(target, tenant.id);
  const tables = await readMovedTables(source);
  await deleteCopy(target, tables, tenant.id);

  await makeMonths(target, await readOldestMonth(source, tenant.id));
  await publishTenant(source, tables, tenant.id);
  await subscribe(target, { tenantId: tenant.id, sourceUrl });
  let reportedAt = performance.now();
  for (;;) {
    const { tables: all, copied } = await readCopyProgress(target, tenant.id);
    if (all > 0 && copied === all) break;
    if (performance.now() - reportedAt > reportMs) {
      log.info({ tenantId: tenant.id, copied, tables: all }, 'copying');
      reportedAt = performance.now();
    }
    await sleep(pollMs);
  }
  log.info({ tenantId: tenant.id, tables: tables.length }, 'copied; the other cell follows');
}
