/** Why an acknowledgment was not accepted: a sentence of the server, or one of these codes. */
export type RefusalReason =
  | { readonly code: 'raised-again' | 'over' }
  | { readonly code: 'refused'; readonly detail: string };

export type OutboxProgress =
  | {
      readonly state: 'waiting';
      readonly tries: number;
      /** Milliseconds since 1970; undefined until the first try has failed. */
      readonly nextTryAt: number | undefined;
    }
  | {
      readonly state: 'accepted';
      readonly acceptedAt: number;
      /** Who has the alarm now: another person may have been earlier. */
      readonly acknowledgedBy: string;
    }
  | { readonly state: 'refused'; readonly refusedAt: number; readonly reason: RefusalReason };

/** The alarm as the person saw it. */
export type SeenAlarm = {
  readonly id: number;
  /** The begin of the occurrence that was seen; a later one is not acknowledged. */
  readonly alarmTime: string;
  readonly message: string;
};

/** An acknowledgment with its way to the server. */
export type OutboxItem = {
  /** Also the idempotency key, so that the server takes it once, however often it is sent. */
  readonly id: string;
  /** Order of making. */
  readonly number: number;
  /** It is sent only in the name of this user. */
  readonly userId: number | undefined;
  readonly alarm: SeenAlarm;
  readonly comment: string | undefined;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  readonly progress: OutboxProgress;
};
