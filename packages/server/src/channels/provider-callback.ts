import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import type { Outcome } from './channel.ts';
import { type HeaderReader, verifyWebhook } from './webhook-signature.ts';

const Callback = Type.Object({
  attemptId: Type.String({ minLength: 1, maxLength: 128 }),
  reference: Type.String({ maxLength: 256 }),
  event: Type.Enum(['delivered', 'answered', 'digits', 'reply', 'busy', 'noAnswer', 'refused', 'failed']),
  /** Keys that were pressed. */
  digits: Type.Optional(Type.String({ maxLength: 32 })),
  /** An SMS that came back, and the number it came from. */
  text: Type.Optional(Type.String({ maxLength: 1_600 })),
  from: Type.Optional(Type.String({ maxLength: 64 })),
  reason: Type.Optional(Type.String({ maxLength: 512 })),
});
type Callback = Static<typeof Callback>;

/** What a provider reports of an attempt. Nothing of it is believed before the code was judged. */
export type ProviderReport = {
  /** The provider's name of this report. The second of the same name is a repetition, or a replay. */
  readonly callbackId: string;
  readonly attemptId: string;
  /** The number an SMS came back from: only the one we sent to may answer. */
  readonly from: string | undefined;
  readonly outcome: Outcome;
};

export type ReadCallback =
  | { readonly kind: 'report'; readonly report: ProviderReport }
  | { readonly kind: 'refused'; readonly reason: 'not-signed' | 'not-understood' };

/**
 * Reads a call-back: `body` is the text as it came, for that is what was signed. What is not signed with a secret
 * of the channel, or was signed long ago, is refused: a forged acknowledgment would silence an alarm.
 */
export function readProviderCallback(
  { headers, body, now }: { headers: HeaderReader; body: string; now: Date },
  secrets: readonly string[],
): ReadCallback {
  const callbackId = verifyWebhook({ headers, body, now }, secrets);
  if (callbackId === undefined) return { kind: 'refused', reason: 'not-signed' };
  const callback = parse(body);
  if (callback === undefined) return { kind: 'refused', reason: 'not-understood' };
  const { attemptId, from } = callback;
  return { kind: 'report', report: { callbackId, attemptId, from, outcome: outcomeOf(callback) } };
}

function parse(body: string): Callback | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return Check(Callback, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function outcomeOf({ event, reference, ...said }: Callback): Outcome {
  const { digits = '', text = '', reason = '' } = said;
  switch (event) {
    case 'digits':
      return { kind: 'acknowledged', reference, code: digits };
    case 'reply':
      return outcomeOfReply(reference, text);
    case 'failed':
      return { kind: 'failed', permanent: true, blame: 'recipient', reason };
    case 'refused':
      return { kind: 'refused', reference, reason };
    case 'delivered':
    case 'answered':
    case 'busy':
    case 'noAnswer':
      return { kind: event, reference };
  }
}

function outcomeOfReply(reference: string, text: string): Outcome {
  const code = codeInReply(text);
  return code === undefined ? { kind: 'answered', reference } : { kind: 'acknowledged', reference, code };
}

/**
 * The code of a reply that is an acknowledgment, such as `ok 482913`, with the choice behind it if there is one;
 * undefined for any other text.
 */
export function codeInReply(text: string): string | undefined {
  const [, code] =
    /^\s*(?:(?:ack|ok|oui|ja|yes|1)\b[\s:,.#-]*)?(\d{4,8}(?:[\s,.#-]+[12])?)\b/i.exec(text) ?? [];
  return code;
}
