import type { Outcome } from './channel.ts';
import { NotConnected, reasonOf } from './connection-fault.ts';
import type { HttpAnswer } from './http-client.ts';

/** Statuses that say: not now. Everything else below 500 would be the same again. */
const temporary = new Set([408, 425, 429]);

/** Statuses that are about us, not about the one who is to be reached. */
const aboutUs = new Set([401, 403, 407]);

/** What an answer that is not a success means. */
export function failureOf({ status, retryAfterSeconds }: HttpAnswer): Outcome {
  const reason = `HTTP ${status}`;
  if (status >= 500 || temporary.has(status)) {
    return { kind: 'failed', permanent: false, blame: 'channel', reason, retryAfterSeconds };
  }
  if (aboutUs.has(status)) return { kind: 'failed', permanent: false, blame: 'channel', reason };
  return { kind: 'failed', permanent: true, blame: 'recipient', reason };
}

/** What it means that no answer came. */
export function silenceOf(error: unknown): Outcome {
  const reason = reasonOf(error);
  if (!(error instanceof NotConnected)) return { kind: 'unknown', reason };
  return { kind: 'failed', permanent: false, blame: 'channel', reason };
}
