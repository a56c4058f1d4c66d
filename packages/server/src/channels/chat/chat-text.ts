import { listedAlarms } from '../port/alarm-list.ts';
import { linkPrompt } from '../port/answer-prompt.ts';
import type { Message } from '../port/message.ts';
import { cleanLine, cleanText } from '../port/plain-text.ts';

/** The texts of a message in a chat, not escaped. */
export type ChatText = {
  readonly title: string;
  readonly text: string;
  /** Precedes the link; empty without one. */
  readonly prompt: string;
  readonly link: string;
};

const maxTitleLength = 140;
/** The shortest limit among the chats is that of a section in Slack, after escaping. */
const maxTextLength = 2_500;

export function chatText(message: Message): ChatText {
  const paragraphs = [cleanText(message.text), ...listedAlarms(message)].join('\n\n');
  const prompt = linkPrompt(message);
  return {
    title: cleanLine(message.subject, maxTitleLength) || 'Alarm',
    text: cut(paragraphs, maxTextLength),
    prompt,
    link: prompt === '' ? '' : (message.answer?.link ?? ''),
  };
}

/** Cuts between characters; the length is that of UTF-16, in which the chats count. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text
    .slice(0, maxLength - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}
