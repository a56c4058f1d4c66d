import type { CallMessage, Sending } from '@tocsin/domain';
import { callWordsOf } from '../../channels/port/call-words.ts';
import type { AnswerOptions, Message } from '../../channels/port/message.ts';
import type { TemplatedText } from '../../channels/templates/templated-text.ts';
import type { ReadyAttempt } from './delivery.store.ts';

const maxListedAlarms = 10;

/** Writes the message of a sending: one alarm, or for several their number, the first and the most urgent one. */
export function outgoingMessage(
  attempts: readonly ReadyAttempt[],
  { bundle }: Pick<Sending, 'bundle'>,
  { attemptId, nameOf, answer, callbackUrl, templated }: Outgoing,
): Message {
  const [first] = attempts;
  if (!first) throw new Error('a sending has an attempt');
  const message = writtenMessage(first, templated);
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
      .slice(0, maxListedAlarms)
      .map((one) => ({
        id: one.tagId ?? 0,
        attemptId: nameOf(one.id),
        priority: one.priority,
        message: one.message.text,
        audio: one.message.audio,
      })),
    alarmCount: bundle?.count ?? (first.tagId === null ? 0 : 1),
    audio: bundle ? '' : message.audio,
    file: bundle ? '' : message.file,
    answer,
    callbackUrl,
    ...(message.notice && { notice: message.notice }),
  };
}

export type Outgoing = {
  attemptId: string;
  /** The name of an attempt outside the server. */
  nameOf: (attemptId: number) => string;
  answer: AnswerOptions | undefined;
  callbackUrl: string;
  /** The text of the tenant's template; undefined without one. */
  templated?: TemplatedText | undefined;
};

function bundleText(attempts: readonly ReadyAttempt[], bundle: NonNullable<Sending['bundle']>): string {
  const words = callWordsOf(attempts[0]?.language ?? '');
  const textOf = (id: number) => attempts.find((one) => one.id === id)?.message.text ?? '';
  const first = textOf(bundle.firstAttemptId);
  const urgent = textOf(bundle.mostUrgentAttemptId);
  const rest = urgent === first ? '' : ` ${words.mostUrgent}: ${urgent}.`;
  return `${words.alarms(bundle.count)}. ${words.first}: ${first}.${rest}`;
}

/** The message about one alarm: as the template gives it, or what became of the alarm in the language of the person. */
function writtenMessage({ message, language }: ReadyAttempt, templated?: TemplatedText): CallMessage {
  const { news, text, shortText } = message;
  if (templated)
    return { ...message, text: templated.text || text, shortText: templated.subject || shortText };
  if (!news) return message;
  const words = callWordsOf(language);
  const told = news.kind === 'taken' ? words.taken(news.by) : words.over(news.time);
  return { ...message, text: `${told}: ${text}`, shortText: '' };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 120) ?? '';
}
