import type { Medium } from '@tocsin/contract';
import type { Logger } from 'pino';
import type { Static, TObject } from 'typebox';
import type { Egress } from './egress.ts';

export type MediumKind = Medium['kind'];

/** One alarm that a message speaks of. */
export type MessageAlarm = { readonly id: number; readonly priority: number; readonly message: string };

/** How the one who is called can say that he has got the message, and that he takes the alarm. */
export type AnswerWay = {
  /** Digits to press or to send back. */
  readonly code: string;
  /** Signed address of a page that asks once more before it acts; empty when the server has no public address. */
  readonly link: string;
};

/** What is to be said to one person by one medium. */
export type Message = {
  /**
   * Our name of this try, the same however often it is sent, and never used by any other installation: where a
   * provider takes an idempotency key this is it, and a name it has seen before would be swallowed.
   */
  readonly attemptId: string;
  readonly address: string;
  /** BCP 47; empty when the person has none. */
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  /** The numeric short message of pagers and the prefix of an SMS; 0 for none. */
  readonly number: number;
  /** What it is about: one alarm, several bundled ones, or none for a call asked for by hand. */
  readonly alarms: readonly MessageAlarm[];
  /** How many alarms are bundled, those not listed included. */
  readonly alarmCount: number;
  /** Names in the media library; empty for none. */
  readonly audio: string;
  readonly file: string;
  readonly answer: AnswerWay | undefined;
  /** Where the provider reports what became of it; empty when it cannot reach us, and must be asked. */
  readonly callbackUrl: string;
  /** After this instant nobody waits for the outcome any more. */
  readonly deadline: Date;
};

/**
 * Whose doing a failure is: another channel would fail the recipient too, or it would not. `queue`: nobody's; it waited for its
 * turn on our side for too long, and was not sent.
 */
export type Blame = 'recipient' | 'channel' | 'queue';

/**
 * What the world answered. `reference` is the provider's own name of the attempt, empty when it gave none.
 * Only `acknowledged` comes from a person: a provider that says `delivered` is not believed.
 */
export type Outcome =
  | { readonly kind: 'accepted'; readonly reference: string }
  | { readonly kind: 'delivered'; readonly reference: string }
  | { readonly kind: 'answered'; readonly reference: string }
  | { readonly kind: 'acknowledged'; readonly reference: string; readonly code: string }
  | { readonly kind: 'busy'; readonly reference: string }
  | { readonly kind: 'noAnswer'; readonly reference: string }
  | { readonly kind: 'refused'; readonly reference: string; readonly reason: string }
  | Failure
  /** It may have reached the person or not: whoever decides must take it that it has not. */
  | { readonly kind: 'unknown'; readonly reason: string };

export type Failure = {
  readonly kind: 'failed';
  /** The same address would fail again, whatever the way there. */
  readonly permanent: boolean;
  readonly blame: Blame;
  readonly reason: string;
  /** When the provider asked us to come again. */
  readonly retryAfterSeconds?: number | undefined;
};

export type Health = { readonly works: true } | { readonly works: false; readonly reason: string };

/**
 * A way to reach people. It reports what happened and never tries again by itself: what to do about an outcome is
 * decided in one place. None of its functions throws.
 */
export type Channel = {
  send(message: Message, signal: AbortSignal): Promise<Outcome>;
  /** What became of an attempt whose outcome is unknown. `undefined`: the provider has never heard of it. */
  query?(attemptId: string, signal: AbortSignal): Promise<Outcome | undefined>;
  /** Ends a call that rings. Whoever hangs up on nothing has done no harm. */
  hangUp?(attemptId: string, signal: AbortSignal): Promise<void>;
  /** Whether the provider is there, without disturbing anybody. */
  check(signal: AbortSignal): Promise<Health>;
  /** Gives back connections. */
  close?(): void;
};

export type MediaContent = { readonly contentType: string; readonly content: Buffer };

/** What a channel may reach besides its settings. */
export type ChannelContext = {
  readonly medium: MediumKind;
  readonly egress: Egress;
  /** What a tenant must not be told of a failure is written here. */
  readonly log: Logger;
  readonly now: () => Date;
  /** A file of the tenant's media library, or undefined when there is none of that name. */
  readonly readMedia: (name: string) => Promise<MediaContent | undefined>;
};

/** A kind of channel as it describes itself: a console can draw its form without knowing it. */
export type ChannelKind = {
  readonly title: string;
  readonly description: string;
  /** The media it can serve; the first is the usual one. */
  readonly media: readonly MediumKind[];
  readonly settings: TObject;
  create(settings: unknown, context: ChannelContext): Channel;
};

/** Describes a kind with the type of its settings. Settings are checked against the schema before `create`. */
export function channelKind<Settings extends TObject>(kind: {
  title: string;
  description: string;
  media: readonly MediumKind[];
  settings: Settings;
  create(settings: Static<Settings>, context: ChannelContext): Channel;
}): ChannelKind {
  return { ...kind, create: (settings, context) => kind.create(settings as Static<Settings>, context) };
}
