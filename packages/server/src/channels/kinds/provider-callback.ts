import { type Static, Type } from 'typebox';
import type { CallbackReading, CallbackRequest, Incoming } from '../port/channel.ts';
import type { ChannelOutcome } from '../port/outcome.ts';
import { readJson } from '../port/read-json.ts';
import { codeInReply } from '../port/reply-code.ts';
import { type HeaderReader, verifyWebhook } from './webhook-signature.ts';

const Callback = Type.Object({
  attemptId: Type.String({ minLength: 1, maxLength: 128 }),
  reference: Type.String({ maxLength: 256 }),
  event: Type.Enum([
    'ringing',
    'delivered',
    'answered',
    'ended',
    'digits',
    'reply',
    'busy',
    'noAnswer',
    'refused',
    'failed',
  ]),
  /** Pressed keys. */
  digits: Type.Optional(Type.String({ maxLength: 32 })),
  /** The text of a reply by SMS, and its sender's number. */
  text: Type.Optional(Type.String({ maxLength: 1_600 })),
  from: Type.Optional(Type.String({ maxLength: 64 })),
  reason: Type.Optional(Type.String({ maxLength: 512 })),
});
type Callback = Static<typeof Callback>;

/** A provider's report about an attempt. It acknowledges nothing before its code was checked. */
export type ProviderReport = {
  /** The provider's id of this report. A second report with the same id is a repetition or a replay. */
  readonly callbackId: string;
  readonly attemptId: string;
  /** The number that replied by SMS: only the called number may answer. */
  readonly from: string | undefined;
  readonly outcome: ChannelOutcome;
};

export type ReadCallback =
  | { readonly kind: 'report'; readonly report: ProviderReport }
  | { readonly kind: 'refused'; readonly reason: 'not-signed' | 'not-understood' };

/**
 * Reads a call-back; `body` is the raw text, because that was signed. A call-back without a recent signature by a secret
 * of the channel is refused: a forged acknowledgment would silence an alarm.
 */
export function readProviderCallback(
  { headers, body, now }: { headers: HeaderReader; body: string; now: Date },
  secrets: readonly string[],
): ReadCallback {
  const callbackId = verifyWebhook({ headers, body, now }, secrets);
  if (callbackId === undefined) return { kind: 'refused', reason: 'not-signed' };
  const callback = readJson(Callback, body);
  if (callback === undefined) return { kind: 'refused', reason: 'not-understood' };
  const { attemptId, from } = callback;
  return { kind: 'report', report: { callbackId, attemptId, from, outcome: outcomeOf(callback) } };
}

function outcomeOf({ event, reference, ...details }: Callback): ChannelOutcome {
  const { digits, text, reason } = { digits: '', text: '', reason: '', ...details };
  switch (event) {
    case 'digits':
      return { kind: 'acknowledged', reference, code: digits };
    case 'reply':
      return outcomeOfReply(reference, text);
    case 'failed':
      return { kind: 'failed', permanent: true, blame: 'recipient', reason };
    case 'refused':
      return { kind: 'refused', reference, reason };
    case 'ended':
      // Only a call that was picked up ends this way, also if this report overtakes the one of the answer.
      return { kind: 'ended', reference, reason, wasAnswered: true };
    case 'ringing':
    case 'delivered':
    case 'answered':
    case 'busy':
    case 'noAnswer':
      return { kind: event, reference };
  }
}

function outcomeOfReply(reference: string, text: string): ChannelOutcome {
  const code = codeInReply(text);
  return code === undefined ? { kind: 'answered', reference } : { kind: 'acknowledged', reference, code };
}

/** As `readProviderCallback`, in the form that all kinds of channels share. */
export function receiveProviderCallback(
  request: CallbackRequest,
  secrets: readonly string[],
): CallbackReading {
  const read = readProviderCallback(request, secrets);
  if (read.kind === 'refused') return read;
  const { callbackId } = read.report;
  const response = { contentType: '', body: '' };
  return { kind: 'report', callbackId, incoming: incomingOf(read.report), response };
}

function incomingOf({ attemptId, from, outcome }: ProviderReport): Incoming {
  if (outcome.kind !== 'acknowledged' || from === undefined) return { kind: 'outcome', attemptId, outcome };
  return { kind: 'reply', attemptId, from, text: outcome.code };
}
