import { type Medium, type NoticeOutcome, noticeOutcome } from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { listEscalationsOfNotice, readSentMedia, type SentMedium } from './notice.store.ts';

/** What became of a notice by one medium. */
export type MediumOutcome = Medium &
  NoticeOutcome & {
    escalationId: number;
    /** Undefined unless it is confirmed. */
    confirmedBy: SentMedium['confirmedBy'];
    /** When it was asked for. */
    openedAt: Date;
  };

/** What became of a notice, by medium; empty if it is unknown or was deleted. */
export async function readNotice(transaction: TenantTransaction, noticeId: number): Promise<MediumOutcome[]> {
  return readMediumOutcomes(transaction, await listEscalationsOfNotice(transaction, noticeId));
}

export async function readMediumOutcomes(
  transaction: TenantTransaction,
  escalationIds: readonly number[],
): Promise<MediumOutcome[]> {
  const media = await readSentMedia(transaction, escalationIds);
  return media.map(outcomeOf);
}

function outcomeOf({ attempts, isOver, confirmedBy, ...medium }: SentMedium): MediumOutcome {
  const outcome = noticeOutcome(medium.kind, attempts, isOver);
  return { ...medium, ...outcome, confirmedBy: outcome.state === 'confirmed' ? confirmedBy : undefined };
}
