import { cancel, isRunning, type Report, settle } from '@tocsin/domain';
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
  if (reports.length === 0) return { stale: 0 };
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

/** Takes back attempts that were not made and are not to be. */
export async function withdrawAttempts(
  transaction: TenantTransaction,
  ids: readonly number[],
  reason: string,
): Promise<void> {
  if (ids.length === 0) return;
  const attempts = [...(await lockAttempts(transaction, ids)).values()].filter(isRunning);
  const withdrawn = attempts.map(({ dutyId, ...attempt }) => ({
    attempt: { ...cancel(attempt, transaction.now), reason },
    dutyId,
    reference: '',
  }));
  if (withdrawn.length > 0) await saveSettled(transaction, withdrawn);
}
