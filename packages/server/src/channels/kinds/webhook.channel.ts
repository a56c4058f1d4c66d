import { Type } from 'typebox';
import { createHttpClient, type HttpClient } from '../network/http-client.ts';
import { type Channel, type ChannelContext, channelKind } from '../port/channel.ts';
import { failureOutcome, noResponseOutcome } from '../port/http-outcome.ts';
import type { Message } from '../port/message.ts';
import type { ChannelOutcome } from '../port/outcome.ts';
import { secretText } from '../port/setting-schemas.ts';
import { secretPattern, signWebhook } from './webhook-signature.ts';

const limits = { timeoutMs: 5_000, maxResponseBytes: 65_536, connections: 50 };

const secretRules = { pattern: secretPattern };

/** Posts each message as signed JSON to the URL in the person's address. */
export const webhookKind = channelKind({
  title: 'Webhook',
  description: 'Posts each message as JSON, signed after Standard Webhooks, to the URL of the user.',
  media: ['Webhook'],
  settings: Type.Object({
    secret: secretText({
      ...secretRules,
      title: 'Secret',
      description:
        'At least 24 random bytes in base64, perhaps after `whsec_`: the receiver checks signatures with it.',
    }),
    previousSecret: Type.Optional(
      secretText({
        ...secretRules,
        title: 'Previous secret',
        description: 'Signs too, for as long as receivers change from the one to the other.',
      }),
    ),
  }),
  create: ({ secret, previousSecret }, context) => {
    const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret];
    return webhookChannel(secrets, context);
  },
});

function webhookChannel(secrets: readonly string[], { egress, now, log }: ChannelContext): Channel {
  const client = createHttpClient(egress, limits, log);
  return {
    understands: (address) => /^https?:/i.test(address),
    place: (message, signal) => post({ client, secrets, now: now() }, message, signal),
    // There is no provider to check: each receiver has its own URL.
    check: async () => ({ works: true }),
    close: client.close,
  };
}

async function post(
  { client, secrets, now }: { client: HttpClient; secrets: readonly string[]; now: Date },
  message: Message,
  signal: AbortSignal,
): Promise<ChannelOutcome> {
  const body = webhookBody(message, now);
  const signed = signWebhook({ id: message.attemptId, body, now }, secrets);
  const headers = { 'content-type': 'application/json', 'user-agent': 'Tocsin', ...signed };
  try {
    const answer = await client.send({ method: 'POST', url: message.address, headers, body, signal });
    if (answer.status < 200 || answer.status > 299) return failureOutcome(answer);
    return { kind: 'delivered', reference: message.attemptId };
  } catch (error) {
    return noResponseOutcome(error);
  }
}

function webhookBody(message: Message, now: Date): string {
  const { attemptId, subject, text, number, language, alarms, alarmCount, audio, file, answer } = message;
  return JSON.stringify({
    type: 'message',
    timestamp: now.toISOString(),
    data: {
      attemptId,
      subject,
      text,
      number,
      language,
      alarms,
      alarmCount,
      audio,
      file,
      ...answerMembers(answer),
    },
  });
}

function answerMembers(answer: Message['answer']): object {
  return answer === undefined ? {} : { answerCode: answer.code, answerLink: answer.link };
}
