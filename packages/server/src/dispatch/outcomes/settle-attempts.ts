import { cancel, isRunning, type Report, settle } from '@tocsin/domain';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { lockAttempts, saveSettled } from './settle.store.ts';

/** A report of a dispatcher or a provider about an attempt. */
export type AttemptReport = {
  attemptId: number;
  report: Report;
  reference: string;
  /** For an attempt that goes back to the queue. */
  retryAfterSeconds?: number;
};

/**
 * Stores the reported outcomes of attempts. Returns how many reports were stale, that is from a dispatcher that had lost
 * its claim to another.
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
  const settled = reports.flatMap(({ attemptId, report, reference, retryAfterSeconds = 0 }) => {
    const known = attempts.get(attemptId);
    if (!known) return [];
    const { escalationId, ...before } = known;
    const settlement = settle(before, report, transaction.now);
    if (settlement.kind === 'stale') stale += 1;
    if (settlement.kind !== 'settled') return [];
    return [{ attempt: settlement.attempt, escalationId, reference, retryAfterSeconds }];
  });
  if (settled.length > 0) await saveSettled(transaction, settled);
  return { stale };
}

/** Withdraws attempts that were not sent and are not needed. */
export async function withdrawAttempts(
  transaction: TenantTransaction,
  ids: readonly number[],
  reason: string,
): Promise<void> {
  if (ids.length === 0) return;
  const attempts = [...(await lockAttempts(transaction, ids)).values()].filter(isRunning);
  const withdrawn = attempts.map(({ escalationId, ...attempt }) => ({
    attempt: { ...cancel(attempt, transaction.now), reason },
    escalationId,
    reference: '',
  }));
  if (withdrawn.length > 0) await saveSettled(transaction, withdrawn);
}
