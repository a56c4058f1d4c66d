import type { MediumKind } from '../calling/call-plan.ts';
import type { AttemptStatus } from '../calling/delivery.ts';

/** What became of a notice by one medium. Only `confirmed` comes from the person. */
export type NoticeState = 'sending' | 'sent' | 'delivered' | 'answered' | 'confirmed' | 'failed';

export type NoticeOutcome = {
  state: NoticeState;
  /** In plain words; empty if nothing is wrong. */
  reason: string;
  /** When the state was reached; undefined while it is being sent. */
  at: Date | undefined;
};

/** An attempt to send a notice. */
export type NoticeAttempt = {
  status: AttemptStatus;
  reason: string;
  sentAt: Date | undefined;
  answeredAt: Date | undefined;
  endedAt: Date | undefined;
  confirmedAt: Date | undefined;
};

/** The best result of the attempts counts, because one that has arrived is enough. `isOver`: there will be no other. */
export function noticeOutcome(
  medium: MediumKind,
  attempts: readonly NoticeAttempt[],
  isOver: boolean,
): NoticeOutcome {
  const find = (...statuses: AttemptStatus[]) => attempts.findLast(({ status }) => statuses.includes(status));
  const confirmed = find('acknowledged');
  if (confirmed) return { state: 'confirmed', reason: '', at: confirmed.confirmedAt ?? confirmed.endedAt };
  const answered = find('answered', 'declined');
  if (answered)
    return {
      state: 'answered',
      reason: 'Somebody or a voice mail answered and did not confirm',
      at: answered.answeredAt,
    };
  const delivered = find('delivered');
  if (delivered) return { state: 'delivered', reason: '', at: delivered.endedAt };
  const sent = medium === 'Voice' ? undefined : find('accepted');
  if (sent)
    return { state: 'sent', reason: 'Sent, and nothing has come back yet', at: sent.endedAt ?? sent.sentAt };
  if (!isOver) return { state: 'sending', reason: '', at: undefined };
  const last = attempts.at(-1);
  return { state: 'failed', reason: failureReason(last), at: last?.endedAt };
}

const failures: Partial<Record<AttemptStatus, string>> = {
  busy: 'The telephone was busy',
  noAnswer: 'Nobody answered',
  refused: 'The call was rejected',
};

function failureReason(last: NoticeAttempt | undefined): string {
  if (!last) return 'It could not be sent: the address is no longer in use';
  const plain = failures[last.status];
  if (plain) return plain;
  if (last.status === 'cancelled')
    return last.reason || 'The line was needed for an alarm, or was not free in time';
  return last.reason || 'It could not be sent';
}

/** Whether the medium has reached the person: they have confirmed it, or the provider reports that a message arrived. */
export function hasReached({ state }: Pick<NoticeOutcome, 'state'>): boolean {
  return state === 'confirmed' || state === 'delivered';
}

export type Reached = 'all' | 'part' | 'none' | 'untested';

/** How many media of a person have reached them at their last test; undefined for those that were not tested. */
export function reachedOf(media: readonly (Pick<NoticeOutcome, 'state'> | undefined)[]): Reached {
  const tested = media.filter((one) => one !== undefined);
  if (tested.length === 0) return 'untested';
  const reached = tested.filter(hasReached).length;
  if (reached === 0) return 'none';
  return reached === media.length ? 'all' : 'part';
}
