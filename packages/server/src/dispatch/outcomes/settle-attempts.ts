import { type Attempt, cancel, isRunning, type Report, settle } from '@tocsin/domain';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { endedAttempt } from '../traces/trace-attempt.ts';
import type { AttemptChange } from './call-metrics.ts';
import { type LockedAttempt, lockAttempts, saveSettled } from './settle.store.ts';

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
    const { escalationId } = known;
    const settlement = settle(known, report, transaction.now);
    if (settlement.kind === 'stale') stale += 1;
    if (settlement.kind !== 'settled') return [];
    return [{ attempt: settlement.attempt, before: known, escalationId, reference, retryAfterSeconds }];
  });
  if (settled.length > 0) await saveSettled(transaction, settled);
  const changes = settled.flatMap(({ before, attempt }) => changeOf(transaction, before, attempt));
  return { stale, changes };
}

/** The change to count and to trace; empty if the attempt has neither a new status nor ended. */
export function changeOf(
  { tenantId }: Pick<TenantTransaction, 'tenantId'>,
  before: LockedAttempt,
  after: Attempt,
): AttemptChange[] {
  const isSameStatus = after.status === before.status;
  const ended = endedAttempt(tenantId, before, after);
  if (isSameStatus && !ended) return [];
  return [{ medium: after.medium.kind, outcome: after.status, isSameStatus, ended }];
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
