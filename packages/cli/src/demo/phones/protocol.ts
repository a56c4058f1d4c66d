import { type Static, Type } from 'typebox';

/** An order of the server to its simulated phone company. */
export const Order = Type.Object({
  attemptId: Type.String({ minLength: 1 }),
  to: Type.String(),
  text: Type.String(),
  /** Spoken after the text: how to answer. */
  prompt: Type.String(),
  language: Type.String(),
  /** The digits that take the alarm. */
  code: Type.String(),
  /** Where events are reported; empty if nobody wants to know. */
  callbackUrl: Type.String(),
});
export type Order = Static<typeof Order>;

export type CallStatus =
  | 'ringing'
  | 'answered'
  | 'acknowledged'
  | 'noAnswer'
  | 'refused'
  | 'busy'
  | 'cancelled';

/** An event of a call, as it is reported to the server. */
export type CallEvent = 'ringing' | 'answered' | 'digits' | 'ended' | 'noAnswer' | 'refused' | 'busy';

/** A telephone, as the page shows it. */
export type PhoneView = {
  readonly number: string;
  readonly name: string;
  readonly duty: string;
  /** Whether the simulated person picks up. */
  readonly answersItself: boolean;
  readonly call: CallView | undefined;
  /** The last calls, the newest first. */
  readonly past: readonly PastCall[];
};

export type CallView = {
  readonly id: string;
  readonly status: 'ringing' | 'answered';
  readonly text: string;
  readonly prompt: string;
  readonly language: string;
  readonly code: string;
  readonly digits: string;
  /** Whether the simulated person has picked up, and not the visitor. */
  readonly isSimulated: boolean;
};

export type PastCall = {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
  readonly outcome: 'taken' | 'confirmed' | 'hungUp' | 'noAnswer' | 'refused' | 'cancelled';
};
