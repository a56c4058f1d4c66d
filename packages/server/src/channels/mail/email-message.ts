import { listedAlarms } from '../port/alarm-list.ts';
import { linkPrompt, replyPrompt } from '../port/answer-prompt.ts';
import { callWordsOf } from '../port/call-words.ts';
import type { Message } from '../port/message.ts';
import { cleanLine, cleanText } from '../port/plain-text.ts';
import { answerAddress, bounceAddress, type ReplyDomain } from './reply-address.ts';

/** The sender of e-mails. `replies` is absent if nobody reads replies. */
export type Sender = {
  readonly address: string;
  readonly name: string;
  readonly replies?: ReplyDomain | undefined;
};

/** The parts of an e-mail. No text of an alarm can become a header, another address or markup. */
export type Email = {
  from: { name: string; address: string };
  to: { name: string; address: string };
  replyTo?: string;
  envelope: { from: string; to: string[] };
  messageId: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  priority: 'high';
  /** Content is never taken from a file or URL. */
  disableFileAccess: true;
  disableUrlAccess: true;
};

const maxSubjectLength = 200;

/** Accepts one plain address: no list, display name, route or header injection. */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{Cc}@,;:<>()[\]\\"]+@[^\s\p{Cc}@,;:<>()[\]\\"]+$/u.test(text);
}

export function composeEmail(message: Message, sender: Sender): Email {
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1);
  const replyTo = replyAddressOf(message, sender);
  const paragraphs = [cleanText(message.text), ...listedAlarms(message)];
  return {
    from: { name: cleanLine(sender.name, 64), address: sender.address },
    to: { name: '', address: message.address },
    ...(replyTo !== undefined && { replyTo }),
    envelope: { from: returnAddressOf(message, sender), to: [message.address] },
    messageId: `<${message.attemptId.replace(/[^\w.-]/g, '_')}@${domain}>`,
    subject: cleanLine(message.subject, maxSubjectLength) || 'Alarm',
    text: [...paragraphs, ...answerLines(message, replyTo !== undefined)].join('\n\n'),
    html: page(paragraphs, message, replyTo !== undefined),
    headers: {
      // RFC 3834: suppresses automatic replies.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'List-ID': `<alarms.${domain}>`,
    },
    priority: 'high',
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function replyAddressOf(
  { attemptId, address: recipient, answer }: Message,
  { replies }: Sender,
): string | undefined {
  if (answer === undefined || replies === undefined) return undefined;
  return answerAddress(replies, { attemptId, code: answer.code, recipient });
}

function returnAddressOf({ attemptId }: Message, { address, replies }: Sender): string {
  return (replies && bounceAddress(replies, attemptId)) ?? address;
}

function answerLines(message: Message, canReply: boolean): string[] {
  const { answer, language } = message;
  if (answer === undefined) return [];
  const prompt = linkPrompt(message);
  const code = canReply ? replyPrompt(message) : `${callWordsOf(language).code}: ${answer.code}`;
  return [...(prompt === '' ? [] : [`${prompt}\n${answer.link}`]), code];
}

function page(paragraphs: readonly string[], message: Message, canReply: boolean): string {
  const { answer, language } = message;
  const body = paragraphs.map((text) => `<p>${escapeMarkup(text).replaceAll('\n', '<br>')}</p>`);
  const prompt = linkPrompt(message);
  if (answer !== undefined && prompt !== '') {
    const link = escapeMarkup(answer.link);
    body.push(`<p>${escapeMarkup(prompt)}<br><a href="${link}">${link}</a></p>`);
  }
  if (answer !== undefined) {
    const code = `${callWordsOf(language).code}: <b>${escapeMarkup(answer.code)}</b>`;
    body.push(`<p>${canReply ? escapeMarkup(replyPrompt(message)) : code}</p>`);
  }
  const lang = /^[A-Za-z0-9-]{2,35}$/.test(language) ? ` lang="${language}"` : '';
  return `<!doctype html><html${lang}><body>${body.join('')}</body></html>`;
}

function escapeMarkup(text: string): string {
  const names: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => names[character] ?? character);
}
