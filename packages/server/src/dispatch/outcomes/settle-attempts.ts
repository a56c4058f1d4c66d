import { cancel, isRunning, type Report, settle } from '@tocsin/domain';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { AttemptChange } from './call-metrics.ts';
import { lockAttempts, saveSettled } from './settle.store.ts';

/** A report of a dispatcher or a provider about an attempt. */
export type AttemptReport = {
  attemptId: number;
  report: Report;
  reference: string;
  /** For an attempt that goes back to the queue. */
  retryAfterSeconds?: number;
};

/** The attempts that got a new status, and the number of stale reports: those of a dispatcher that had lost its claim. */
export type SettledReports = { stale: number; changes: readonly AttemptChange[] };

/** Stores the reported outcomes of attempts. The caller counts the changes after the commit. */
export async function settleAttempts(
  transaction: TenantTransaction,
  reports: readonly AttemptReport[],
): Promise<SettledReports> {
  if (reports.length === 0) return { stale: 0, changes: [] };
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
    return [
      { attempt: settlement.attempt, before: before.status, escalationId, reference, retryAfterSeconds },
    ];
  });
  if (settled.length > 0) await saveSettled(transaction, settled);
  const changed = settled.filter(({ attempt, before }) => attempt.status !== before);
  return {
    stale,
    changes: changed.map(({ attempt }) => ({ medium: attempt.medium.kind, outcome: attempt.status })),
  };
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
