import { Type } from 'typebox';
import type { HttpAnswer } from '../network/http-client.ts';
import { failureOutcome, throttledOutcome } from '../port/http-outcome.ts';
import type { ChannelOutcome } from '../port/outcome.ts';
import { readJson } from '../port/read-json.ts';
import { type ChatText, cut } from './chat-text.ts';

/** The differences between chats. */
export type ChatProfile = {
  /** The address of a person or a room; it decides where the message goes. */
  readonly isAddress: (address: string) => boolean;
  readonly addressName: string;
  /** Undefined if the chat needs a token, and there is none. */
  readonly urlOf: (address: string, access: ChatAccess) => string | undefined;
  readonly bodyOf: (text: ChatText, address: string) => object;
  readonly outcomeOf: (answer: HttpAnswer, attemptId: string) => ChannelOutcome;
};

/** The access to a chat that is not in its address. */
export type ChatAccess = { readonly server: string; readonly token: string };

const isHttpUrl = (address: string) => /^https?:\/\//.test(address) && URL.canParse(address);

/** Text runs take no markup, so an alarm cannot show a link of its own. */
const textRun = (text: string, more: object = {}) => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text, ...more }],
});

const teams: ChatProfile = {
  isAddress: isHttpUrl,
  addressName: 'the URL of a workflow of Teams',
  urlOf: (address) => address,
  bodyOf: ({ title, text, prompt, link }) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [textRun(title, { weight: 'Bolder', size: 'Large' }), textRun(text)],
          actions: link === '' ? [] : [{ type: 'Action.OpenUrl', title: prompt, url: link }],
        },
      },
    ],
  }),
  outcomeOf: (answer, attemptId) => {
    // Teams reports some failures with the status 200 and tells them in the text.
    const [, told] = answer.status === 200 ? (/HTTP error (\d{3})/i.exec(answer.text) ?? []) : [];
    return usualOutcome(told === undefined ? answer : { ...answer, status: Number(told) }, attemptId);
  },
};

/** The limits of a header and a section in Slack, after escaping. */
const maxSlackTitle = 150;
const maxSlackText = 3_000;

/** Slack reads these three characters as markup, also in plain text. The cut leaves no half of an escaped character. */
const slackEscaped = (text: string, maxLength = maxSlackText) => {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return cut(escaped, maxLength).replace(/&[a-z]*…$/, '…');
};

const slack: ChatProfile = {
  isAddress: isHttpUrl,
  addressName: 'the URL of an incoming webhook of Slack',
  urlOf: (address) => address,
  bodyOf: ({ title, text, prompt, link }) => {
    const section = (type: 'plain_text' | 'mrkdwn', words: string) => ({
      type: 'section',
      text: { type, text: words },
    });
    const plain = (words: string) => section('plain_text', slackEscaped(words));
    // A bar or a bracket would end the address of the link.
    const address = slackEscaped(link).replaceAll('|', '%7C');
    return {
      // Shown where blocks are not, such as in notifications.
      text: slackEscaped(title),
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: slackEscaped(title, maxSlackTitle) } },
        plain(text),
        ...(link === '' ? [] : [section('mrkdwn', `<${address}|${slackEscaped(prompt)}>`)]),
      ],
    };
  },
  outcomeOf: usualOutcome,
};

/** The limit of a message in Telegram. */
const maxTelegramLength = 4_096;

const telegram: ChatProfile = {
  isAddress: (address) => /^(?:-?\d{1,20}|@[A-Za-z]\w{4,31})$/.test(address),
  addressName: 'the id of a chat in Telegram',
  urlOf: (_address, { server, token }) => (token === '' ? undefined : `${server}/bot${token}/sendMessage`),
  // Without `parse_mode` nothing in the text is markup.
  bodyOf: ({ title, text, prompt, link }, address) => {
    const tail = link === '' ? '' : `\n\n${prompt}\n${link}`;
    return {
      chat_id: address,
      text: cut(`${title}\n\n${text}`, maxTelegramLength - tail.length) + tail,
      // A preview would call the link.
      link_preview_options: { is_disabled: true },
    };
  },
  outcomeOf: telegramOutcome,
};

export const chatProfiles = { teams, slack, telegram } as const satisfies Record<string, ChatProfile>;

function usualOutcome(answer: HttpAnswer, attemptId: string): ChannelOutcome {
  const { status, retryAfterSeconds } = answer;
  if (status >= 200 && status <= 299) return { kind: 'delivered', reference: attemptId };
  if (status === 429) return throttledOutcome(retryAfterSeconds);
  return failureOutcome(answer);
}

const TelegramAnswer = Type.Object({
  result: Type.Optional(Type.Object({ message_id: Type.Integer() })),
  description: Type.Optional(Type.String()),
  parameters: Type.Optional(Type.Object({ retry_after: Type.Optional(Type.Integer({ minimum: 0 })) })),
});

function telegramOutcome(answer: HttpAnswer, attemptId: string): ChannelOutcome {
  const { status, retryAfterSeconds } = answer;
  const { result, parameters, description = '' } = readJson(TelegramAnswer, answer.text) ?? {};
  if (status === 200) return { kind: 'delivered', reference: String(result?.message_id ?? attemptId) };
  if (status === 429) return throttledOutcome(parameters?.retry_after ?? retryAfterSeconds);
  const reason = `HTTP ${status}`;
  if (isOfPerson(status, description)) return { kind: 'failed', permanent: true, blame: 'recipient', reason };
  // Telegram knows the bot by its token, so any other refusal is about the bot or our request.
  return { kind: 'failed', permanent: false, blame: 'channel', reason, retryAfterSeconds };
}

/** The person has blocked the bot, or there is no such chat. */
function isOfPerson(status: number, description: string): boolean {
  return status === 403 || (status === 400 && /chat/i.test(description));
}
