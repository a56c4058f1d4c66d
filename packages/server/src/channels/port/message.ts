import type { NoticeKind } from '@tocsin/domain';

/** One alarm that a message speaks of. */
export type MessageAlarm = {
  readonly id: number;
  /** The attempt for this alarm, by its name: a person takes the alarms whose attempts they have heard. */
  readonly attemptId: string;
  readonly priority: number;
  readonly message: string;
  /** A recording in the media library that a telephone call plays in place of the message; empty for none. */
  readonly audio: string;
};

/** How the called person can confirm the message and acknowledge the alarm. */
export type AnswerOptions = {
  /** Digits to press or to send back. */
  readonly code: string;
  /** Signed address of a page that asks once more before it acts; empty when the server has no public address. */
  readonly link: string;
};

/** A message to one person by one medium. */
export type Message = {
  /**
   * Identifies the attempt, also when it is sent again. Unique among all installations, because it is the provider's
   * idempotency key: a provider would drop a message with a known key.
   */
  readonly attemptId: string;
  readonly address: string;
  /** BCP 47; empty if the person has none. */
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  /** The numeric short message of pagers and the prefix of an SMS; 0 for none. */
  readonly number: number;
  /** One alarm, several bundled ones, or none for a call that was requested manually. */
  readonly alarms: readonly MessageAlarm[];
  /** The number of bundled alarms, including those that are not listed. */
  readonly alarmCount: number;
  /** Names in the media library; empty for none. */
  readonly audio: string;
  readonly file: string;
  readonly answer: AnswerOptions | undefined;
  /** Where the provider reports the outcome; empty if it cannot reach us and must be polled. */
  readonly callbackUrl: string;
  /** Set if the message is about no alarm. */
  readonly notice?: NoticeKind;
};
