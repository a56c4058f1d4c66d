import { NotConnected, reasonOf } from '../network/connection-fault.ts';
import type { HttpAnswer } from '../network/http-client.ts';
import type { ChannelOutcome, NotNow } from './outcome.ts';

/** Temporary failures. Any other status below 500 would be the same again. */
const temporary = new Set([408, 425, 429]);

/** Failures of the channel, not of the recipient. */
const channelFaults = new Set([401, 403, 407]);

/** The outcome of a response that is not a success. */
export function failureOutcome({ status, retryAfterSeconds }: HttpAnswer): ChannelOutcome {
  const reason = `HTTP ${status}`;
  if (status >= 500 || temporary.has(status)) {
    return { kind: 'failed', permanent: false, blame: 'channel', reason, retryAfterSeconds };
  }
  if (channelFaults.has(status)) return { kind: 'failed', permanent: false, blame: 'channel', reason };
  return { kind: 'failed', permanent: true, blame: 'recipient', reason };
}

/** The outcome of a request without a response. */
export function noResponseOutcome(error: unknown): ChannelOutcome {
  const reason = reasonOf(error);
  if (!(error instanceof NotConnected)) return { kind: 'unknown', reason };
  return { kind: 'failed', permanent: false, blame: 'channel', reason };
}

/** A provider that says when to come back seldom asks for longer; one that does not say is asked again soon. */
const defaultWaitSeconds = 10;
const maxWaitSeconds = 3_600;

/** The outcome when the provider asks us to wait. */
export function throttledOutcome(retryAfterSeconds: number | undefined): NotNow {
  const seconds = Math.min(Math.max(retryAfterSeconds ?? defaultWaitSeconds, 1), maxWaitSeconds);
  return { kind: 'notNow', reason: 'the provider asks us to wait', retryAfterSeconds: seconds };
}
