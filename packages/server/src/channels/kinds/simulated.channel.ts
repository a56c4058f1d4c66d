import type { MediumKind } from '@tocsin/domain';
import { type Static, Type } from 'typebox';
import { reasonOf } from '../network/connection-fault.ts';
import { createHttpClient, type HttpClient } from '../network/http-client.ts';
import { spokenPrompt } from '../port/answer-prompt.ts';
import { type Channel, type ChannelContext, channelKind } from '../port/channel.ts';
import { failureOutcome, noResponseOutcome } from '../port/http-outcome.ts';
import type { Message } from '../port/message.ts';
import type { ChannelOutcome } from '../port/outcome.ts';
import { readJson } from '../port/read-json.ts';
import { secretText } from '../port/setting-schemas.ts';
import { shortMessage } from '../port/short-message.ts';
import { receiveProviderCallback } from './provider-callback.ts';
import { secretPattern } from './webhook-signature.ts';

const limits = { timeoutMs: 5_000, maxResponseBytes: 65_536, connections: 100 };

/** Uses a simulated phone company, for trials in which no person must be called. */
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
  create: ({ url, callbackSecret }, context) => ({
    ...simulatedChannel(url.replace(/\/$/, ''), context),
    receive: (request) =>
      receiveProviderCallback(request, callbackSecret === undefined ? [] : [callbackSecret]),
  }),
});

const Status = Type.Object({
  reference: Type.String(),
  status: Type.Enum([
    'queued',
    'ringing',
    'delivered',
    'answered',
    'acknowledged',
    'busy',
    'noAnswer',
    'refused',
    'failed',
  ]),
  digits: Type.Optional(Type.String()),
  /** A call that was answered has been hung up. */
  isOver: Type.Optional(Type.Boolean()),
});

const folders: Partial<Record<MediumKind, string>> = { Voice: 'calls', Push: 'pushes' };

function simulatedChannel(url: string, { egress, medium, log }: ChannelContext): Channel {
  const client = createHttpClient(egress, limits, log);
  const attempts = (attemptId: string) => `${url}/attempts/${encodeURIComponent(attemptId)}`;
  return {
    place: (message, signal) =>
      place({ client, url: `${url}/${folders[medium] ?? 'messages'}`, medium }, message, signal),
    query: async ({ attemptId }, signal) => {
      try {
        const answer = await client.send({ method: 'GET', url: attempts(attemptId), signal });
        return answer.status === 404 ? undefined : outcomeOf(answer.status, answer.text);
      } catch (error) {
        return { kind: 'unknown', reason: reasonOf(error) };
      }
    },
    hangUp: async ({ attemptId }, signal) => {
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
): Promise<ChannelOutcome> {
  const { attemptId, address: to, number, language, callbackUrl, answer } = message;
  const isSpoken = medium === 'Voice';
  const body = JSON.stringify({
    attemptId,
    to,
    text: isSpoken ? message.text : shortMessage(message),
    // Spoken after the text, before the person presses keys.
    prompt: isSpoken ? spokenPrompt(message) : '',
    number,
    language,
    callbackUrl,
    code: answer?.code ?? '',
  });
  const headers = { 'content-type': 'application/json', 'idempotency-key': attemptId };
  try {
    const response = await client.send({ method: 'POST', url, headers, body, signal });
    return response.status === 201 ? outcomeOf(200, response.text) : failureOutcome(response);
  } catch (error) {
    return noResponseOutcome(error);
  }
}

/** Provider responses are validated like any other input. */
function outcomeOf(httpStatus: number, text: string): ChannelOutcome {
  const status = httpStatus === 200 ? readJson(Status, text) : undefined;
  if (status === undefined) return { kind: 'unknown', reason: `HTTP ${httpStatus}, not understood` };
  return readStatus(status);
}

function readStatus({
  reference,
  status,
  digits = '',
  isOver = false,
}: Static<typeof Status>): ChannelOutcome {
  switch (status) {
    case 'queued':
      return { kind: 'accepted', reference };
    case 'acknowledged':
      return { kind: 'acknowledged', reference, code: digits, isOver };
    case 'failed':
      return { kind: 'failed', permanent: true, blame: 'recipient', reason: 'the phone company gave up' };
    case 'refused':
      return { kind: 'refused', reference, reason: '' };
    case 'answered':
      return answeredCall(reference, isOver);
    case 'ringing':
    case 'delivered':
    case 'busy':
    case 'noAnswer':
      return { kind: status, reference };
  }
}

function answeredCall(reference: string, isOver: boolean): ChannelOutcome {
  if (!isOver) return { kind: 'answered', reference };
  return { kind: 'ended', reference, reason: '', wasAnswered: true };
}
