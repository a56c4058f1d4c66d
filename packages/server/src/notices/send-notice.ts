import { createNoticePlan, type Medium, type NoticeContent, noticeDelays, noticeText } from '@tocsin/domain';
import { insertEscalation } from '../escalations/escalation-rows.store.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { findRecipient, insertNotice, type NoticeMedium } from './notice.store.ts';

export type NewNotice = {
  content: NoticeContent;
  userId: number;
  /** Each of them gets the message, and no other address does. That of a code need not be one of the person's media. */
  media: readonly Medium[];
  /** The name of the user who asked for it; empty for the schedule. */
  requestedBy: string;
  /** A notice that was not sent by then is given up. */
  endsAfterSeconds?: number;
};

const defaultEndSeconds = 600;

/**
 * Sends a message about no alarm to one person, in their language: stores an escalation for each medium, which dispatchers
 * carry out like those of alarms, after all of them. Returns the notice, or undefined if there is no such enabled user.
 */
export async function sendNotice(
  transaction: TenantTransaction,
  { content, userId, media, requestedBy, endsAfterSeconds = defaultEndSeconds }: NewNotice,
): Promise<{ id: number; media: NoticeMedium[] } | undefined> {
  const person = await findRecipient(transaction, userId);
  if (!person) return undefined;
  const noticeId = await insertNotice(transaction, { kind: content.kind, userId, requestedBy });
  const delays = noticeDelays(media);
  const sent: NoticeMedium[] = [];
  for (const [index, medium] of media.entries()) {
    const plan = createNoticePlan({
      kind: content.kind,
      person,
      medium,
      text: noticeText(content, person, medium.kind),
      delaySeconds: delays[index] ?? 0,
      endsAfterSeconds,
    });
    const about = { tagId: null, occurrenceId: null, callId: null, stationId: null };
    const escalationId = await insertEscalation(transaction, { ...about, noticeId, plan });
    sent.push({ ...medium, escalationId });
  }
  return { id: noticeId, media: sent };
}
