import { setTimeout as sleep } from 'node:timers/promises';
import type { Move } from './move.ts';
import { moveName, unpublishTenant } from './source-cell.store.ts';

const pollMs = 50;
const longestWaitMs = 10_000;

/**
 * Ends the publication once the other cell has stopped reading. A replication slot that remains would make PostgreSQL keep its
 * log until the disk is full.
 */
export async function endPublication({ tenant, source, log }: Move): Promise<void> {
  for (let waitedMs = 0; waitedMs < longestWaitMs; waitedMs += pollMs) {
    if (await unpublishTenant(source, tenant.id)) return;
    await sleep(pollMs);
  }
  log.error(
    { tenantId: tenant.id, slot: moveName(tenant.id) },
    'the replication slot is still in use and keeps the log of PostgreSQL: drop it with pg_drop_replication_slot',
  );
}
