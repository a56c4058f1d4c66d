import { Type } from 'typebox';
import type { HttpAnswer } from '../network/http-client.ts';
import type { ChannelOutcome, Failure } from '../port/outcome.ts';
import { readJson } from '../port/read-json.ts';

const throttledSeconds = 5;

/** Error codes of requests: this number can never be reached this way. */
const wrongNumbers = new Set([21_211, 21_214, 21_217, 21_401, 21_407, 21_421, 21_610, 21_612, 21_614]);
/** Error codes of messages: unknown or blocked numbers, and landlines. */
const deadNumbers = new Set([30_004, 30_005, 30_006]);
/** Error codes of messages that say nothing about the number: our account, or a filter of the operator. */
const channelErrors = new Set([30_001, 30_002, 30_007, 30_009, 30_010, 30_034]);
/** SIP replies of telephone networks that know no such number. */
const noSuchNumber = new Set(['404', '410', '484', '604']);

const Resource = Type.Object({ sid: Type.String({ maxLength: 64 }), status: Type.String() });
const Refusal = Type.Object({ code: Type.Integer() });

export type ProviderResource = Type.Static<typeof Resource>;

/** The call or message that a response describes; undefined if it describes none. */
export function resourceOf({ status, text }: HttpAnswer): ProviderResource | undefined {
  return status >= 200 && status < 300 ? readJson(Resource, text) : undefined;
}

const channelFault = (reason: string): Failure => ({
  kind: 'failed',
  permanent: false,
  blame: 'channel',
  reason,
});
const recipientFault = (reason: string, permanent: boolean): Failure => ({
  kind: 'failed',
  permanent,
  blame: 'recipient',
  reason,
});

/** The outcome of a request for a call or message. */
export function placedOutcome(answer: HttpAnswer): ChannelOutcome {
  const resource = resourceOf(answer);
  if (resource) return { kind: 'accepted', reference: resource.sid };
  const { status, text, retryAfterSeconds = throttledSeconds } = answer;
  if (status >= 200 && status < 300) return { kind: 'unknown', reason: `HTTP ${status}, not understood` };
  if (status === 429) return { kind: 'notNow', reason: 'the provider is busy', retryAfterSeconds };
  const code = readJson(Refusal, text)?.code;
  const reason = code === undefined ? `HTTP ${status}` : `HTTP ${status}, error ${code}`;
  return code !== undefined && wrongNumbers.has(code) ? recipientFault(reason, true) : channelFault(reason);
}

type CallState = { status: string; reference: string; sipCode?: string | undefined };

/** The outcome of a call in this state; undefined for an unknown state. */
export function callOutcome({ status, reference, sipCode = '' }: CallState): ChannelOutcome | undefined {
  switch (status) {
    case 'queued':
    case 'initiated':
      return { kind: 'accepted', reference };
    case 'ringing':
      return { kind: 'ringing', reference };
    case 'in-progress':
    case 'answered':
      return { kind: 'answered', reference };
    case 'completed':
      return { kind: 'ended', reference, reason: '', wasAnswered: true };
    case 'canceled':
      return { kind: 'ended', reference, reason: 'the call was cancelled' };
    case 'busy':
      return { kind: 'busy', reference };
    case 'no-answer':
      return { kind: 'noAnswer', reference };
    case 'failed':
      return failedCall(sipCode);
    default:
      return undefined;
  }
}

function failedCall(sipCode: string): ChannelOutcome {
  const reason = sipCode === '' ? 'the call could not be completed' : `SIP ${sipCode}`;
  if (noSuchNumber.has(sipCode)) return recipientFault(reason, true);
  return /^[56]/.test(sipCode) ? channelFault(reason) : recipientFault(reason, false);
}

/** The outcome of a message in this state; undefined for an unknown state. */
export function messageOutcome({
  status,
  reference,
  errorCode,
}: {
  status: string;
  reference: string;
  errorCode: number;
}): ChannelOutcome | undefined {
  switch (status) {
    case 'accepted':
    case 'scheduled':
    case 'queued':
    case 'sending':
    case 'sent':
      return { kind: 'accepted', reference };
    case 'delivered':
    case 'read':
      return { kind: 'delivered', reference };
    case 'undelivered':
    case 'failed':
    case 'canceled':
      return failedMessage(errorCode);
    default:
      return undefined;
  }
}

function failedMessage(errorCode: number): ChannelOutcome {
  const reason = errorCode === 0 ? 'the message was not delivered' : `error ${errorCode}`;
  return channelErrors.has(errorCode)
    ? channelFault(reason)
    : recipientFault(reason, deadNumbers.has(errorCode));
}
