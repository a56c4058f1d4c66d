import { type Static, Type } from 'typebox';
import { reasonOf } from '../network/connection-fault.ts';
import { createHttpClient, type HttpAnswer, type HttpClient } from '../network/http-client.ts';
import { type Channel, type ChannelContext, channelKind, type Health } from '../port/channel.ts';
import { failureOutcome, noResponseOutcome, throttledOutcome } from '../port/http-outcome.ts';
import type { Message } from '../port/message.ts';
import type { ChannelOutcome } from '../port/outcome.ts';
import { readJson } from '../port/read-json.ts';
import { authorityText, secretText } from '../port/setting-schemas.ts';
import { pushContent } from './push-content.ts';

const limits = { timeoutMs: 5_000, maxResponseBytes: 8_192, connections: 20 };

const Settings = Type.Object({
  url: Type.String({
    pattern: '^https?://',
    maxLength: 512,
    title: 'Server',
    description: 'Address of the ntfy server, such as `https://ntfy.plant.example`.',
    guardsSecrets: true,
  }),
  token: Type.Optional(
    secretText({
      pattern: '^[\\x21-\\x7e]+$',
      title: 'Access token',
      description: 'Of a user who may write to the topics.',
    }),
  ),
  certificate: Type.Optional(
    authorityText('In PEM; for a server whose certificate no public authority has signed.'),
  ),
});
type Settings = Static<typeof Settings>;

/** Posts each message to the topic of the person on an ntfy server, which can be in the plant. */
export const ntfyKind = channelKind({
  title: 'ntfy',
  description: 'Shows each message on the telephone that follows the topic of the user.',
  media: ['Push'],
  settings: Settings,
  create: ntfyChannel,
});

function ntfyChannel(settings: Settings, { egress, log }: ChannelContext): Channel {
  const client = createHttpClient(egress, { ...limits, certificate: settings.certificate }, log);
  const url = settings.url.replace(/\/+$/, '');
  const headers = {
    'content-type': 'application/json',
    ...(settings.token !== undefined && { authorization: `Bearer ${settings.token}` }),
  };
  return {
    understands: (address) => topicPattern.test(address),
    place: (message, signal) => publish({ client, url, headers }, message, signal),
    check: (signal) => check({ client, url }, signal),
    close: client.close,
  };
}

/** The server takes letters, digits, `_` and `-`. */
const topicPattern = /^[A-Za-z0-9_-]{1,64}$/;

async function publish(
  { client, url, headers }: { client: HttpClient; url: string; headers: Record<string, string> },
  message: Message,
  signal: AbortSignal,
): Promise<ChannelOutcome> {
  const { address: topic } = message;
  if (!topicPattern.test(topic))
    return { kind: 'failed', permanent: true, blame: 'recipient', reason: 'not a topic of ntfy' };
  const { title, text, link } = pushContent(message);
  // The topic is in the body, because a header could not hold every character of the title.
  const body = JSON.stringify({
    topic,
    title,
    message: text,
    priority: priorityOf(message),
    ...(link !== '' && { click: link }),
  });
  try {
    const answer = await client.send({ method: 'POST', url: `${url}/`, headers, body, signal });
    return outcomeOf(answer);
  } catch (error) {
    return noResponseOutcome(error);
  }
}

/** From 5 (breaks silence) to 3 (usual), by the most urgent alarm. */
function priorityOf({ alarms }: Message): number {
  const mostUrgent = Math.min(...alarms.map(({ priority }) => priority));
  return mostUrgent <= 1 ? 5 : mostUrgent === 2 ? 4 : 3;
}

const Published = Type.Object({ id: Type.String({ maxLength: 64 }) });

function outcomeOf(answer: HttpAnswer): ChannelOutcome {
  const { status, text, retryAfterSeconds } = answer;
  if (status === 200) return { kind: 'accepted', reference: readJson(Published, text)?.id ?? '' };
  if (status === 429) return throttledOutcome(retryAfterSeconds);
  // Nothing about a topic can be wrong for good: any other refusal is about the server or our rights.
  if (status < 500) return { kind: 'failed', permanent: false, blame: 'channel', reason: `HTTP ${status}` };
  return failureOutcome(answer);
}

async function check(
  { client, url }: { client: HttpClient; url: string },
  signal: AbortSignal,
): Promise<Health> {
  try {
    const { status } = await client.send({ method: 'GET', url: `${url}/v1/health`, signal });
    return status === 200 ? { works: true } : { works: false, reason: `HTTP ${status}` };
  } catch (error) {
    return { works: false, reason: reasonOf(error) };
  }
}
