import { setTimeout as sleep } from 'node:timers/promises';
import { deleteCopy } from './delete-copy.store.ts';
import { endPublication } from './end-publication.ts';
import { expectTenant, serveTenant } from './fence.store.ts';
import type { Move } from './move.ts';
import { readMovedTables } from './moved-tables.ts';
import { publishTenant, readOldestMonth } from './source-cell.store.ts';
import { makeMonths, readCopyProgress, subscribe, unsubscribe } from './target-cell.store.ts';

const pollMs = 250;
const reportMs = 5_000;

/** Copies the rows of the tenant to the other cell, which follows their changes afterwards. The tenant works on. */
export async function copyTenant(move: Move): Promise<void> {
  const { tenant, source, target, sourceUrl, log } = move;
  await expectTenant(target, tenant.id);
  // What an interrupted move has left, or the tenant itself before it left the other cell.
  await serveTenant(source, tenant.id);
  await unsubscribe(target, tenant.id);
  await endPublication(move);
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
