/** What the phone at a number does. A list is gone through, one for each try; its last stays. */
export type Behaviour =
  /** The company takes it and nothing more is heard of it. */
  | { kind: 'accepts' }
  /** Somebody picks up, and perhaps presses keys: `code` presses the code of the message. */
  | { kind: 'answers'; afterMs?: number; press?: string }
  /** A text or push arrives, and perhaps somebody writes back: `{code}` in it is the code of the message. */
  | { kind: 'receives'; afterMs?: number; reply?: string }
  | { kind: 'silent'; ringMs?: number }
  | { kind: 'refuses'; afterMs?: number }
  | { kind: 'busy' }
  /** The company says that it was delivered, and nothing ever arrives. */
  | { kind: 'lies'; afterMs?: number }
  /** The company takes it and never answers the request. */
  | { kind: 'hangs' }
  | { kind: 'errors'; status: number; retryAfterSeconds?: number }
  | { kind: 'slow'; delayMs: number; next: Behaviour };

/** What is wrong with the company as a whole. */
export type Faults = {
  /** Every request is answered so, and none is taken. */
  status?: number;
  retryAfterSeconds?: number;
  hangAfterAccept?: boolean;
  hangBeforeAccept?: boolean;
  delayMs?: number;
  loseCallbacks?: boolean;
  doubleCallbacks?: boolean;
  /** Asked for a status, it knows of nothing. */
  forgetful?: boolean;
  /** How many requests it lasts; by default for ever. */
  times?: number;
};

export type Folder = 'calls' | 'messages' | 'pushes';

export type Order = {
  attemptId: string;
  to: string;
  text: string;
  /** Said after the text, while keys are waited for; empty for what is read. */
  prompt: string;
  number: number;
  code: string;
  callbackUrl: string;
};

export type Status =
  | 'queued'
  | 'delivered'
  | 'answered'
  | 'acknowledged'
  | 'busy'
  | 'noAnswer'
  | 'refused'
  | 'failed';

export type CallbackEvent = 'delivered' | 'answered' | 'digits' | 'reply' | 'busy' | 'noAnswer' | 'refused';

/** One line of the company's own log, by its own clock. */
export type LogLine = {
  seq: number;
  /** ISO 8601. */
  at: string;
  /**
   * `accepted`: an order was taken. `repeated`: the same order again, recognised as such. `declined`: one was not
   * taken. `ignored`: one was heard and never answered. `arrived`: a phone rang or showed the message. `answered`,
   * `pressed`, `replied`: what a person did. `ended`: the phone stopped ringing by itself.
   */
  event:
    | 'accepted'
    | 'repeated'
    | 'declined'
    | 'ignored'
    | 'arrived'
    | 'answered'
    | 'pressed'
    | 'replied'
    | 'ended'
    | 'hung-up'
    | 'called-back';
  folder: Folder;
  attemptId: string;
  to: string;
  reference: string;
  text: string;
  prompt: string;
  /** What else there is to say: keys, words, a status. */
  detail: string;
};

/** What can be set at the company from outside. */
export type Control = {
  /** Forgets phones, faults, orders and the log first. */
  reset?: boolean;
  phones?: Record<string, Behaviour | Behaviour[]>;
  /** For numbers that nobody has scripted. */
  others?: Behaviour;
  faults?: Faults;
  /** Whether it recognises an order that it has taken already. */
  idempotent?: boolean;
  /** Signs call-backs: base64, perhaps after `whsec_`. */
  callbackSecret?: string;
};
