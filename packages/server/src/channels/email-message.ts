import { linkPrompt } from './answer-prompt.ts';
import { callWordsOf } from './call-words.ts';
import type { Message } from './channel.ts';
import { cleanLine, cleanText } from './plain-text.ts';

/** What is put into a mail: nothing that the alarm says can become a header, another address or markup. */
export type Email = {
  from: { name: string; address: string };
  to: { name: string; address: string };
  envelope: { from: string; to: string[] };
  messageId: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  priority: 'high';
  /** The content is text: it never makes us open a file or fetch an address. */
  disableFileAccess: true;
  disableUrlAccess: true;
};

const longestSubject = 200;

/** One address and nothing else: no list, no display name, no route, no way out of the header. */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{Cc}@,;:<>()[\]\\"]+@[^\s\p{Cc}@,;:<>()[\]\\"]+$/u.test(text);
}

export function composeEmail(message: Message, sender: { address: string; name: string }): Email {
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1);
  const text = cleanText(message.text);
  const answerText = answerLines(message);
  return {
    from: { name: cleanLine(sender.name, 64), address: sender.address },
    to: { name: '', address: message.address },
    envelope: { from: sender.address, to: [message.address] },
    messageId: `<${message.attemptId.replace(/[^\w.-]/g, '_')}@${domain}>`,
    subject: cleanLine(message.subject, longestSubject) || 'Alarm',
    text: [text, ...moreLines(message), ...answerText].join('\n\n'),
    html: page([text, ...moreLines(message)], message),
    headers: {
      // RFC 3834: nobody's holiday notice is an answer to this.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'List-ID': `<alarms.${domain}>`,
    },
    priority: 'high',
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function moreLines({ alarms, alarmCount, language }: Message): string[] {
  if (alarmCount < 2) return [];
  const listed = alarms.map(({ message }) => `- ${cleanLine(message, longestSubject)}`);
  const unlisted = alarmCount - alarms.length;
  const { andMore } = callWordsOf(language);
  return [[...listed, ...(unlisted > 0 ? [`- ${andMore(unlisted)}`] : [])].join('\n')];
}

function answerLines(message: Message): string[] {
  const { answer, language } = message;
  if (answer === undefined) return [];
  const prompt = linkPrompt(message);
  const code = `${callWordsOf(language).code}: ${answer.code}`;
  return [...(prompt === '' ? [] : [`${prompt}\n${answer.link}`]), code];
}

function page(paragraphs: readonly string[], message: Message): string {
  const { answer, language } = message;
  const body = paragraphs.map((text) => `<p>${escapeMarkup(text).replaceAll('\n', '<br>')}</p>`);
  const prompt = linkPrompt(message);
  if (answer !== undefined && prompt !== '') {
    const link = escapeMarkup(answer.link);
    body.push(`<p>${escapeMarkup(prompt)}<br><a href="${link}">${link}</a></p>`);
  }
  if (answer !== undefined) {
    const { code } = callWordsOf(language);
    body.push(`<p>${code}: <b>${escapeMarkup(answer.code)}</b></p>`);
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
  return text.replace(/[&<>"']/g, (sign) => names[sign] ?? sign);
}
