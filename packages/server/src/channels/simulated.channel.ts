import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import { spokenPrompt } from './answer-prompt.ts';
import {
  type Channel,
  type ChannelContext,
  channelKind,
  type MediumKind,
  type Message,
  type Outcome,
} from './channel.ts';
import { reasonOf } from './connection-fault.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { failureOf, silenceOf } from './http-outcome.ts';
import { secretText } from './setting-schemas.ts';
import { shortMessage } from './short-message.ts';
import { secretPattern } from './webhook-signature.ts';

const limits = { timeoutMs: 5_000, largestAnswer: 65_536, connections: 100 };

/** Speaks to the simulated phone company: for trying things out, where nobody must be woken. */
export const simulatedKind = channelKind({
  title: 'Simulated phone company',
  description: 'Calls, text messages and pushes that reach no real telephone: for demonstrations and tests.',
  media: ['Voice', 'Sms', 'Push', 'Pager'],
  settings: Type.Object({
    url: Type.String({
      pattern: '^https?://',
      maxLength: 512,
      title: 'Address',
      description: 'Where the simulated phone company listens, such as `http://127.0.0.1:4100`.',
    }),
    callbackSecret: Type.Optional(
      secretText({
        pattern: secretPattern,
        title: 'Call-back secret',
        description: 'Signs what it reports to us.',
      }),
    ),
  }),
  create: ({ url }, context) => simulatedChannel(url.replace(/\/$/, ''), context),
});

const Status = Type.Object({
  reference: Type.String(),
  status: Type.Enum([
    'queued',
    'delivered',
    'answered',
    'acknowledged',
    'busy',
    'noAnswer',
    'refused',
    'failed',
  ]),
  digits: Type.Optional(Type.String()),
});

const folders: Partial<Record<MediumKind, string>> = { Voice: 'calls', Push: 'pushes' };

function simulatedChannel(url: string, { egress, medium, log }: ChannelContext): Channel {
  const client = createHttpClient(egress, limits, log);
  const attempts = (attemptId: string) => `${url}/attempts/${encodeURIComponent(attemptId)}`;
  return {
    send: (message, signal) =>
      place({ client, url: `${url}/${folders[medium] ?? 'messages'}`, medium }, message, signal),
    query: async (attemptId, signal) => {
      try {
        const answer = await client.send({ method: 'GET', url: attempts(attemptId), signal });
        return answer.status === 404 ? undefined : outcomeOf(answer.status, answer.text);
      } catch (error) {
        return { kind: 'unknown', reason: reasonOf(error) };
      }
    },
    hangUp: async (attemptId, signal) => {
      await client
        .send({ method: 'POST', url: `${attempts(attemptId)}/hangup`, signal })
        .catch(() => undefined);
    },
    check: async (signal) => {
      try {
        const { status } = await client.send({ method: 'GET', url: `${url}/health`, signal });
        return status === 200 ? { works: true } : { works: false, reason: `HTTP ${status}` };
      } catch (error) {
        return { works: false, reason: reasonOf(error) };
      }
    },
    close: client.close,
  };
}

async function place(
  { client, url, medium }: { client: HttpClient; url: string; medium: MediumKind },
  message: Message,
  signal: AbortSignal,
): Promise<Outcome> {
  const { attemptId, address: to, number, language, callbackUrl, answer } = message;
  const isSpoken = medium === 'Voice';
  const body = JSON.stringify({
    attemptId,
    to,
    text: isSpoken ? message.text : shortMessage(message),
    // Said after the text, while keys are waited for.
    prompt: isSpoken ? spokenPrompt(message) : '',
    number,
    language,
    callbackUrl,
    code: answer?.code ?? '',
  });
  const headers = { 'content-type': 'application/json', 'idempotency-key': attemptId };
  try {
    const response = await client.send({ method: 'POST', url, headers, body, signal });
    return response.status === 201 ? outcomeOf(200, response.text) : failureOf(response);
  } catch (error) {
    return silenceOf(error);
  }
}

/** What a provider says is checked like anything else from outside. */
function outcomeOf(httpStatus: number, text: string): Outcome {
  const status = httpStatus === 200 ? parse(text) : undefined;
  if (status === undefined) return { kind: 'unknown', reason: `HTTP ${httpStatus}, not understood` };
  const { reference } = status;
  switch (status.status) {
    case 'queued':
      return { kind: 'accepted', reference };
    case 'acknowledged':
      return { kind: 'acknowledged', reference, code: status.digits ?? '' };
    case 'failed':
      return {
        kind: 'failed',
        permanent: true,
        blame: 'recipient',
        reason: 'the phone company gave up',
      };
    case 'refused':
      return { kind: 'refused', reference, reason: '' };
    case 'delivered':
    case 'answered':
    case 'busy':
    case 'noAnswer':
      return { kind: status.status, reference };
  }
}

function parse(text: string): Static<typeof Status> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Check(Status, value) ? value : undefined;
  } catch {
    return undefined;
  }
}
