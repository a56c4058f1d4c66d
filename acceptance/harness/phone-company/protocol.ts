/** The reaction of a phone to an order. A list is played call by call; its last item stays. */
export type Behaviour =
  /** The company accepts the order; a telephone rings until nobody answers after 30 seconds. */
  | { kind: 'accepts' }
  /** A person picks up, may press keys (`code` presses the code of the message), and hangs up after `talkMs`. */
  | { kind: 'answers'; afterMs?: number; press?: string; talkMs?: number }
  /** A machine picks up, plays its greeting, perhaps with tones that sound like keys, and records. */
  | { kind: 'voicemail'; afterMs?: number; press?: string; talkMs?: number }
  /** A text or push arrives and may be answered: `{code}` stands for the code of the message. */
  | { kind: 'receives'; afterMs?: number; reply?: string }
  | { kind: 'silent'; ringMs?: number }
  | { kind: 'refuses'; afterMs?: number }
  | { kind: 'busy' }
  /** The company reports a delivery, and nothing arrives. */
  | { kind: 'lies'; afterMs?: number }
  /** The company accepts the order and never answers the request. */
  | { kind: 'hangs' }
  | { kind: 'errors'; status: number; retryAfterSeconds?: number }
  | { kind: 'slow'; delayMs: number; next: Behaviour };

/** Faults of the whole company. */
export type Faults = {
  /** Status of every answer; no order is accepted. */
  status?: number;
  retryAfterSeconds?: number;
  hangAfterAccept?: boolean;
  hangBeforeAccept?: boolean;
  delayMs?: number;
  loseCallbacks?: boolean;
  doubleCallbacks?: boolean;
  /** Answers 404 to questions about an attempt. */
  forgetful?: boolean;
  /** Number of requests the fault lasts; by default for ever. */
  times?: number;
};

export type Folder = 'calls' | 'messages' | 'pushes';

export type Order = {
  attemptId: string;
  to: string;
  text: string;
  /** Spoken after the text, while the call waits for keys; empty for texts and pushes. */
  prompt: string;
  number: number;
  code: string;
  callbackUrl: string;
};

export type Status =
  | 'queued'
  | 'ringing'
  | 'delivered'
  | 'answered'
  | 'acknowledged'
  | 'busy'
  | 'noAnswer'
  | 'refused'
  | 'failed';

export type CallbackEvent =
  | 'ringing'
  | 'delivered'
  | 'answered'
  | 'ended'
  | 'digits'
  | 'reply'
  | 'busy'
  | 'noAnswer'
  | 'refused';

/** One line of the log, by the clock of the company. */
export type LogLine = {
  seq: number;
  /** ISO 8601. */
  at: string;
  /**
   * `accepted`: an order was accepted. `repeated`: the same order again, recognised as such. `declined`: an order was
   * refused. `ignored`: an order was received and never answered. `arrived`: a phone rang or showed the message.
   * `answered`, `pressed`, `replied`: actions of a person. `ended`: the phone stopped ringing, or the call was hung up.
   * `collision`: the server called a phone during another call of its own.
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
    | 'called-back'
    | 'collision';
  folder: Folder;
  attemptId: string;
  to: string;
  reference: string;
  text: string;
  prompt: string;
  /** Keys, words or a status. */
  detail: string;
};

/** A change of the company's state by a test. */
export type Control = {
  /** Clears phones, faults, orders and the log first. */
  reset?: boolean;
  phones?: Record<string, Behaviour | Behaviour[]>;
  /** For numbers without a script. */
  others?: Behaviour;
  faults?: Faults;
  /** Whether it recognises repeated orders. */
  idempotent?: boolean;
  /** The number of calls at the same time; a further order is answered with 429. */
  lines?: number;
  /** Signs call-backs: base64, perhaps after `whsec_`. */
  callbackSecret?: string;
};
