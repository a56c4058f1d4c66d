import { addSeconds } from '@tocsin/domain';
import { forgetCalls } from '../calls/old-call.store.ts';
import { forgetRuns } from '../commands/old-run.store.ts';
import { callbacksKeptSeconds, forgetCallbacks } from '../dispatch/answers/answer-callback.store.ts';
import { deleteOldEscalations } from '../escalations/old-escalation.store.ts';
import { forgetNotices } from '../notices/schedule.store.ts';
import { forEachTenant } from '../postgres/each-tenant.ts';
import { historiesKeptFrom } from '../postgres/partitions.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, outsideTenants, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { tenantsWithOldCalls } from './tenants-with-work.store.ts';

/** Rows per transaction, so that its locks last a fraction of a second. */
const batch = { escalations: 100, attempts: 1_000, others: 500 };
/** A stopping server waits for a run to end, so a run is limited; the next one continues. */
const maxRounds = 40;

export type DeletedCounts = { escalations: number; attempts: number; calls: number; runs: number };

/**
 * Deletes escalations, calls and command runs of alarms whose histories were deleted, and reports of providers that can no
 * longer be repeated. Takes one batch of each tenant in each round; several servers may run it at once. 0 months keep all
 * calls.
 */
export async function deleteOldCalls(
  { database, log }: Runtime,
  retentionMonths: number,
): Promise<DeletedCounts> {
  let tenantIds = await outsideTenants(database, (transaction) => {
    const callbacksBefore = addSeconds(transaction.now, -callbacksKeptSeconds);
    return tenantsWithOldCalls(transaction, { retentionMonths, callbacksBefore });
  });
  const deleted: DeletedCounts = { escalations: 0, attempts: 0, calls: 0, runs: 0 };
  for (let round = 0; round < maxRounds && tenantIds.length > 0; round += 1) {
    const unfinished: number[] = [];
    await forEachTenant(tenantIds, { log, job: 'delete old calls' }, async (tenantId) => {
      const { isFull, ...counts } = await inTenant(database, tenantId, (transaction) =>
        deleteBatch(transaction, retentionMonths),
      );
      if (isFull) unfinished.push(tenantId);
      deleted.escalations += counts.escalations;
      deleted.attempts += counts.attempts;
      deleted.calls += counts.calls;
      deleted.runs += counts.runs;
    });
    tenantIds = unfinished;
  }
  if (Object.values(deleted).some((count) => count > 0)) log.info(deleted, 'old calls deleted');
  return deleted;
}

async function deleteBatch(
  transaction: TenantTransaction,
  retentionMonths: number,
): Promise<DeletedCounts & { isFull: boolean }> {
  const callbacks = await forgetCallbacks(transaction, batch.others);
  const none = { escalations: 0, attempts: 0, calls: 0, runs: 0, isFull: callbacks === batch.others };
  if (retentionMonths === 0) return none;
  const keptFrom = await historiesKeptFrom(transaction, retentionMonths);
  const { escalations, attempts, isFull } = await deleteOldEscalations(transaction, keptFrom, batch);
  const calls = await forgetCalls(transaction, keptFrom, batch.others);
  const runs = await forgetRuns(transaction, keptFrom, batch.others);
  const notices = await forgetNotices(transaction, keptFrom, batch.others);
  const isOther = [callbacks, calls, runs, notices].includes(batch.others);
  return { escalations, attempts, calls, runs, isFull: isFull || isOther };
}
