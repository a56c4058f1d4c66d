/** One part of a spoken text. The text of a recording is spoken if the recording cannot be played. */
export type Prompt =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'audio'; readonly name: string; readonly text: string };

/** An alarm, or the message of a requested call. `audio` is a name in the media library; empty for none. */
export type DialogueAlarm = { readonly attemptId: string; readonly text: string; readonly audio: string };

/** How a person proves that they answer. With `none` there is nothing to answer, for example when an alarm is over. */
export type AnswerBy = 'digit' | 'pin' | 'code' | 'none';

export type DialogueSettings = {
  /** BCP 47; English is spoken if the language is not supported. */
  readonly language: string;
  readonly answerBy: AnswerBy;
  readonly alarms: readonly DialogueAlarm[];
  /** False for a requested call, which can only be confirmed. */
  readonly hasAlarm: boolean;
  /** A test or a code: its text says by itself who calls. */
  readonly isNotice?: boolean | undefined;
  /** The digits that are read out; only with `answerBy: 'code'`. */
  readonly code?: string | undefined;
  /** Said at the beginning, for example the name of the plant; "Tocsin" by default. */
  readonly caller?: string | undefined;
};

export type Judgement = 'accepted' | 'wrong' | 'locked' | 'late' | 'not-allowed';

export type DialogueEvent =
  | { readonly kind: 'answered' }
  /** The prompts of the last `say` were played to their end. */
  | { readonly kind: 'promptEnded' }
  /** One of 0 to 9, `*` and `#`. */
  | { readonly kind: 'key'; readonly key: string }
  /** The seconds of the last `listen` have passed without a key. */
  | { readonly kind: 'silence' }
  /** Further alarms joined the call. */
  | { readonly kind: 'announced'; readonly alarms: readonly DialogueAlarm[] }
  /** The server's reply to the last `press`. `takenBy` is empty for nobody. */
  | { readonly kind: 'judged'; readonly judgement: Judgement; readonly takenBy: string }
  | { readonly kind: 'farewell'; readonly reason: FarewellReason };

export type FarewellReason = { readonly kind: 'taken'; readonly by: string } | { readonly kind: 'over' };

export type Choice = 'take' | 'refuse' | 'confirm';

export type PressProof = { readonly kind: 'leg' } | { readonly kind: 'pin' | 'code'; readonly given: string };

/**
 * An action of the phone, carried out in order. `say` and `listen` each replace what is being said and the time that is
 * being waited for; keys are accepted at all times.
 */
export type DialogueAction =
  | { readonly kind: 'say'; readonly prompts: readonly Prompt[] }
  /** Reports the choice, and does not wait: the reply comes as `judged`. */
  | {
      readonly kind: 'press';
      readonly choice: Choice;
      /** The attempts whose alarms were said, by name. */
      readonly heard: readonly string[];
      readonly proof: PressProof;
    }
  /** Waits for keys; after that many seconds without a key comes `silence`. */
  | { readonly kind: 'listen'; readonly seconds: number }
  | { readonly kind: 'hangUp' };
