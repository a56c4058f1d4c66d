import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { createHttpClient, type HttpAnswer, type HttpClient } from '../network/http-client.ts';
import { type Channel, type ChannelContext, channelKind } from '../port/channel.ts';
import { failureOutcome, noResponseOutcome, throttledOutcome } from '../port/http-outcome.ts';
import type { Message } from '../port/message.ts';
import type { ChannelOutcome } from '../port/outcome.ts';
import { secretText } from '../port/setting-schemas.ts';
import { pushContent } from './push-content.ts';
import { encryptPush } from './push-encryption.ts';
import { readSubscription } from './subscription.ts';
import { publicKeyOf, vapidAuthorization } from './vapid.ts';

const limits = { timeoutMs: 5_000, maxResponseBytes: 8_192, connections: 20 };

const Settings = Type.Object({
  publicKey: Type.String({
    pattern: '^B[A-Za-z0-9_-]{86}$',
    title: 'Public key',
    description: 'VAPID key in base64url: browsers subscribe with it.',
  }),
  privateKey: secretText({
    pattern: '^[A-Za-z0-9_-]{43}$',
    title: 'Private key',
    description: 'In base64url; belongs to the public key.',
  }),
  subject: Type.String({
    pattern: '^(?:mailto:|https://)',
    maxLength: 254,
    title: 'Contact',
    description: 'For the push service, such as `mailto:alarm@plant.example`.',
  }),
  certificate: Type.Optional(
    Type.String({
      maxLength: 16_384,
      title: 'Certificate authority',
      description: 'In PEM; for a push service whose certificate no public authority has signed.',
    }),
  ),
});
type Settings = Static<typeof Settings>;

/** Sends each message to the browser of the person, encrypted so that the push service cannot read it. */
export const webPushKind = channelKind({
  title: 'Web push',
  description: 'Shows each message in the browser that the user has subscribed with.',
  media: ['Push'],
  settings: Settings,
  create: webPushChannel,
});

function webPushChannel(settings: Settings, { egress, log, now }: ChannelContext): Channel {
  const client = createHttpClient(egress, { ...limits, certificate: settings.certificate }, log);
  return {
    understands: (address) => readSubscription(address) !== undefined,
    place: (message, signal) => push({ client, settings, now: now() }, message, signal),
    // There is no provider to ask: each browser has its own push service.
    check: async () =>
      publicKeyOf(settings.privateKey) === settings.publicKey
        ? { works: true }
        : { works: false, reason: 'the public key does not belong to the private key' },
    close: client.close,
  };
}

/** A message that cannot be delivered for this time is dropped: somebody else is called long before. */
const keptSeconds = 3_600;

async function push(
  { client, settings, now }: { client: HttpClient; settings: Settings; now: Date },
  message: Message,
  signal: AbortSignal,
): Promise<ChannelOutcome> {
  const subscription = readSubscription(message.address);
  if (subscription === undefined)
    return { kind: 'failed', permanent: true, blame: 'recipient', reason: 'not a subscription for web push' };
  if (publicKeyOf(settings.privateKey) !== settings.publicKey) return keysDiffer;
  const { endpoint, keys } = subscription;
  const body = encryptPush(Buffer.from(JSON.stringify(pushContent(message))), keys);
  const authorization = await vapidAuthorization(settings, { endpoint, subject: settings.subject, now });
  const headers = {
    authorization,
    'content-type': 'application/octet-stream',
    'content-encoding': 'aes128gcm',
    ttl: String(keptSeconds),
    urgency: 'high',
    topic: topicOf(message.attemptId),
  };
  try {
    const answer = await client.send({ method: 'POST', url: endpoint, headers, body, signal });
    return outcomeOf(answer, message.attemptId);
  } catch (error) {
    return noResponseOutcome(error);
  }
}

const keysDiffer: ChannelOutcome = {
  kind: 'failed',
  permanent: false,
  blame: 'channel',
  reason: 'the public key does not belong to the private key',
};

/** A message that is sent again replaces itself while it waits, and no other one. */
function topicOf(attemptId: string): string {
  return createHash('sha256').update(attemptId).digest('base64url').slice(0, 32);
}

/** A push service tells only that it has taken the message: no `delivered`. */
function outcomeOf(answer: HttpAnswer, reference: string): ChannelOutcome {
  const { status, retryAfterSeconds } = answer;
  if (status >= 200 && status <= 299) return { kind: 'accepted', reference };
  if (status === 429) return throttledOutcome(retryAfterSeconds);
  if (status === 404 || status === 410)
    return { kind: 'failed', permanent: true, blame: 'recipient', reason: 'the subscription has ended' };
  // Any other refusal is about our keys or our request, and not about the person.
  if (status < 500) return { kind: 'failed', permanent: false, blame: 'channel', reason: `HTTP ${status}` };
  return failureOutcome(answer);
}
