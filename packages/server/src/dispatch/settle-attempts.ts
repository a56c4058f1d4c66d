import { type Report, settle } from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { lockAttempts, saveSettled } from './delivery.store.ts';

/** What somebody says became of an attempt. */
export type AttemptReport = { attemptId: number; report: Report; reference: string };

/**
 * Stores what became of attempts, as far as it is news and comes from one who may say so. Answers how many reports
 * came from a dispatcher that had lost the attempt to another.
 */
export async function settleAttempts(
  transaction: TenantTransaction,
  reports: readonly AttemptReport[],
): Promise<{ stale: number }> {
  const attempts = await lockAttempts(
    transaction,
    reports.map(({ attemptId }) => attemptId),
  );
  let stale = 0;
  const settled = reports.flatMap(({ attemptId, report, reference }) => {
    const known = attempts.get(attemptId);
    if (!known) return [];
    const { dutyId, ...before } = known;
    const settlement = settle(before, report, transaction.now);
    if (settlement.kind === 'stale') stale += 1;
    if (settlement.kind !== 'settled') return [];
    return [{ attempt: settlement.attempt, dutyId, reference }];
  });
  if (settled.length > 0) await saveSettled(transaction, settled);
  return { stale };
}
