import { type Static, Type } from 'typebox';
import { reasonOf } from '../network/connection-fault.ts';
import { createHttpClient, type HttpClient } from '../network/http-client.ts';
import { type Channel, type ChannelContext, channelKind, type Health } from '../port/channel.ts';
import { noResponseOutcome } from '../port/http-outcome.ts';
import type { Message } from '../port/message.ts';
import type { ChannelOutcome } from '../port/outcome.ts';
import { secretText } from '../port/setting-schemas.ts';
import { type ChatAccess, type ChatProfile, chatProfiles } from './chat-profiles.ts';
import { chatText } from './chat-text.ts';

const limits = { timeoutMs: 5_000, maxResponseBytes: 8_192, connections: 20 };

const Settings = Type.Object({
  chat: Type.Enum(['teams', 'slack', 'telegram'], {
    title: 'Chat',
    guardsSecrets: true,
    description: 'With Teams and Slack the address of a user is a URL, with Telegram the id of a chat.',
  }),
  token: Type.Optional(
    secretText({
      pattern: '^\\d{1,20}:[A-Za-z0-9_-]{10,100}$',
      title: 'Bot token',
      description: 'For Telegram only.',
    }),
  ),
  server: Type.Optional(
    Type.String({
      pattern: '^https?://',
      maxLength: 256,
      default: 'https://api.telegram.org',
      title: 'Server',
      description: 'For Telegram only: an own server of its bot interface.',
      guardsSecrets: true,
    }),
  ),
});
type Settings = Static<typeof Settings>;

/** Posts each message to a chat, with the link to answer. */
export const chatKind = channelKind({
  title: 'Chat',
  description: 'Posts each message to Teams, Slack or Telegram, with a link to answer.',
  media: ['Webhook'],
  settings: Settings,
  create: chatChannel,
});

function chatChannel(settings: Settings, { egress, log }: ChannelContext): Channel {
  const client = createHttpClient(egress, limits, log);
  const { chat, token = '', server = 'https://api.telegram.org' } = settings;
  const access = { token, server: server.replace(/\/+$/, '') };
  return {
    understands: chatProfiles[chat].isAddress,
    place: (message, signal) => post({ client, profile: chatProfiles[chat], access }, message, signal),
    // Teams and Slack have nothing to ask: each address has its own URL.
    check: async (signal) => (chat === 'telegram' ? checkBot(client, access, signal) : { works: true }),
    close: client.close,
  };
}

const noToken = 'Telegram needs the token of a bot';

async function post(
  { client, profile, access }: { client: HttpClient; profile: ChatProfile; access: ChatAccess },
  message: Message,
  signal: AbortSignal,
): Promise<ChannelOutcome> {
  const { address, attemptId } = message;
  if (!profile.isAddress(address)) {
    const reason = `not ${profile.addressName}`;
    return { kind: 'failed', permanent: true, blame: 'recipient', reason };
  }
  const url = profile.urlOf(address, access);
  if (url === undefined) return { kind: 'failed', permanent: false, blame: 'channel', reason: noToken };
  const body = JSON.stringify(profile.bodyOf(chatText(message), address));
  const headers = { 'content-type': 'application/json', 'user-agent': 'Tocsin' };
  try {
    return profile.outcomeOf(await client.send({ method: 'POST', url, headers, body, signal }), attemptId);
  } catch (error) {
    return noResponseOutcome(error);
  }
}

async function checkBot(
  client: HttpClient,
  { server, token }: ChatAccess,
  signal: AbortSignal,
): Promise<Health> {
  if (token === '') return { works: false, reason: noToken };
  try {
    const { status } = await client.send({ method: 'GET', url: `${server}/bot${token}/getMe`, signal });
    if (status === 401 || status === 404) return { works: false, reason: 'Telegram does not know the bot' };
    return status === 200 ? { works: true } : { works: false, reason: `HTTP ${status}` };
  } catch (error) {
    return { works: false, reason: reasonOf(error) };
  }
}
