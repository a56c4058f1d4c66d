/**
 * The cause of a failure. With `recipient` another channel would fail, too; with `channel` it might not. With `queue` the
 * message waited too long on our side, and was not sent.
 */
export type Blame = 'recipient' | 'channel' | 'queue';

/**
 * What became of a message or a call so far. `reference` is the provider's id of it, or empty. A call is `accepted`,
 * `ringing` and `answered` while it lives; every other kind ends it. Only `acknowledged` and `pressed` come from a person:
 * `delivered` is the provider's claim, and ends no escalation.
 */
export type ChannelOutcome =
  | { readonly kind: 'accepted'; readonly reference: string }
  | { readonly kind: 'ringing'; readonly reference: string }
  | { readonly kind: 'delivered'; readonly reference: string }
  /** A person or a voice mail has picked up. The call goes on. */
  | { readonly kind: 'answered'; readonly reference: string }
  | EndedCall
  /** The person gave a code. A call goes on, unless `isOver`. */
  | {
      readonly kind: 'acknowledged';
      readonly reference: string;
      readonly code: string;
      readonly isOver?: boolean;
    }
  | PressedKeys
  | { readonly kind: 'busy'; readonly reference: string }
  | { readonly kind: 'noAnswer'; readonly reference: string }
  | { readonly kind: 'refused'; readonly reference: string; readonly reason: string }
  | NotNow
  | Failure
  /** It may have reached the person or not. The escalation must assume that it has not. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** The call was hung up. */
export type EndedCall = {
  readonly kind: 'ended';
  readonly reference: string;
  /** Empty unless something went wrong. */
  readonly reason: string;
  /** Somebody had picked up, which may not have been reported. */
  readonly wasAnswered?: boolean;
  /** The attempts whose alarms were said, by name; absent if the provider does not know. The others are called for again. */
  readonly heard?: readonly string[];
};

/** A choice that a person made in a call that we placed. The call goes on until it is `ended`. */
export type PressedKeys = {
  readonly kind: 'pressed';
  readonly reference: string;
  readonly choice: 'take' | 'refuse' | 'confirm';
  /** The attempts whose alarms were said before the keys were pressed, by name. Only these are taken. */
  readonly heard: readonly string[];
  readonly proof: { readonly kind: 'leg' } | { readonly kind: 'pin' | 'code'; readonly given: string };
};

/**
 * There is no free line, or the provider asks us to wait. Nobody was called: this is no try of the person and no fault of
 * the channel.
 */
export type NotNow = {
  readonly kind: 'notNow';
  readonly reason: string;
  readonly retryAfterSeconds: number;
};

export type Failure = {
  readonly kind: 'failed';
  /** The same address would fail again on any channel. */
  readonly permanent: boolean;
  readonly blame: Blame;
  readonly reason: string;
  /** The delay that the provider asked for. */
  readonly retryAfterSeconds?: number | undefined;
  /** The provider's id, if the provider had accepted the message before it failed. */
  readonly reference?: string | undefined;
};

/** The server's reply to an outcome that a channel reports while a call goes on. */
export type ReportReply = {
  /** Empty unless somebody pressed keys. */
  readonly judgement: '' | 'accepted' | 'wrong' | 'locked' | 'late' | 'not-allowed';
  /** Who has taken the alarm before this person; empty for nobody. */
  readonly takenBy: string;
};

/** Reports what happens to a call after it was placed. Reports of one call are carried out in their order. */
export type ReportLeg = (outcome: ChannelOutcome) => Promise<ReportReply>;

/** A call or message, by our name of its attempt and by the provider's reference, which may be empty. */
export type LegReference = { readonly attemptId: string; readonly reference: string };
