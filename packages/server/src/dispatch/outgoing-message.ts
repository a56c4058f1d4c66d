import type { Sending } from '@tocsin/domain';
import { callWordsOf } from '../channels/call-words.ts';
import type { AnswerWay, Message } from '../channels/channel.ts';
import type { ReadyAttempt } from './delivery.store.ts';

const listedAlarms = 10;

/** What a sending says: one alarm, or how many there are and which came first. */
export function outgoingMessage(
  attempts: readonly ReadyAttempt[],
  { bundle }: Pick<Sending, 'bundle'>,
  { attemptId, answer, callbackUrl, deadline }: Outgoing,
): Message {
  const [first] = attempts;
  if (!first) throw new Error('a sending has an attempt');
  const { message } = first;
  const text = bundle ? bundleText(attempts, bundle) : message.text;
  return {
    attemptId,
    address: first.medium.address,
    language: first.language,
    subject: bundle
      ? callWordsOf(first.language).alarms(bundle.count)
      : message.shortText || firstLine(message.text),
    text,
    number: message.number,
    alarms: attempts
      .filter(({ tagId }) => tagId !== null)
      .slice(0, listedAlarms)
      .map((one) => ({ id: one.tagId ?? 0, priority: one.priority, message: one.message.text })),
    alarmCount: bundle?.count ?? (first.tagId === null ? 0 : 1),
    audio: bundle ? '' : message.audio,
    file: bundle ? '' : message.file,
    answer,
    callbackUrl,
    deadline,
  };
}

export type Outgoing = {
  attemptId: string;
  answer: AnswerWay | undefined;
  callbackUrl: string;
  deadline: Date;
};

function bundleText(attempts: readonly ReadyAttempt[], bundle: NonNullable<Sending['bundle']>): string {
  const words = callWordsOf(attempts[0]?.language ?? '');
  const told = (id: number) => attempts.find((one) => one.id === id)?.message.text ?? '';
  const first = told(bundle.firstAttemptId);
  const urgent = told(bundle.mostUrgentAttemptId);
  const rest = urgent === first ? '' : ` ${words.mostUrgent}: ${urgent}.`;
  return `${words.alarms(bundle.count)}. ${words.first}: ${first}.${rest}`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 120) ?? '';
}
