import type { Alarm } from '@tocsin/contract';
import type { Api } from '../http/api.ts';
import { ProblemError } from '../http/problem-error.ts';
import type { OutboxItem, RefusalReason } from './outbox-item.ts';

export type SendOutcome =
  | { readonly kind: 'accepted'; readonly acknowledgedBy: string }
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  /** Nobody knows yet: the same request must be sent again. */
  | { readonly kind: 'unsent'; readonly retryAfterSeconds: number | undefined };

/** Sends an acknowledgment, unless the alarm that the person saw is over: a new occurrence needs new eyes. */
export async function sendAcknowledgment(
  api: Pick<Api, 'get' | 'post'>,
  { id: idempotencyKey, alarm: seen, comment }: OutboxItem,
): Promise<SendOutcome> {
  const path = `/alarms/${seen.id}`;
  try {
    const { data: present } = await api.get<Alarm>(path);
    if (present.alarmTime !== seen.alarmTime) return { kind: 'refused', reason: { code: 'raised-again' } };
    const body = comment === undefined ? {} : { comment };
    const { data } = await api.post<Alarm>(`${path}/acknowledge`, body, { idempotencyKey });
    return { kind: 'accepted', acknowledgedBy: data.ackUser };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { status, title, detail = title, retryAfterSeconds } = error;
    // Without a session it waits for the next log-in of its user.
    if (error.isTemporary || status === 401) return { kind: 'unsent', retryAfterSeconds };
    if (status === 404) return { kind: 'refused', reason: { code: 'over' } };
    return { kind: 'refused', reason: { code: 'refused', detail } };
  }
}
