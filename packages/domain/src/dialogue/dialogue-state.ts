import type {
  Choice,
  DialogueAction,
  DialogueAlarm,
  DialogueSettings,
  FarewellReason,
  Prompt,
} from './dialogue-types.ts';
import { dialogueWordsOf } from './dialogue-words.ts';

/** An answer that is being given. */
export type PendingAnswer = {
  readonly choice: Choice;
  /** The attempts that it is about, by name. */
  readonly heard: readonly string[];
  /** The alarm whose text was interrupted by the key: it is said again after the answer; undefined for none. */
  readonly interrupted: DialogueAlarm | undefined;
};

export type Stage =
  | { readonly kind: 'ringing' }
  /** An alarm is being said; `at` is its position in the list. */
  | { readonly kind: 'telling'; readonly at: number }
  /** The keys are being explained, or are waited for. */
  | { readonly kind: 'offering'; readonly at: number }
  /** A PIN or code is being entered. */
  | { readonly kind: 'entering'; readonly at: number; readonly answer: PendingAnswer; readonly entry: string }
  /** The server judges an answer. */
  | { readonly kind: 'judging'; readonly at: number; readonly answer: PendingAnswer }
  /** The judgement is being said; the dialogue goes on with the alarms that are left. */
  | { readonly kind: 'concluding' }
  /** The last sentence is being said. */
  | { readonly kind: 'closing' }
  | { readonly kind: 'ended' };

/** The state of a dialogue, as plain data. */
export type Dialogue = {
  readonly settings: DialogueSettings;
  /** Those of the settings, then those that joined the call. */
  readonly alarms: readonly DialogueAlarm[];
  /** The attempts whose alarms were said to their end. */
  readonly heard: readonly string[];
  /** The attempts that were answered. */
  readonly settled: readonly string[];
  /** How many alarms joined the call and were not mentioned yet. */
  readonly unmentioned: number;
  /** Times in a row that the person was asked and pressed nothing. */
  readonly silentRounds: number;
  readonly wrongEntries: number;
  /** How often something may still be said, so that a call ends even if its keys are pressed for ever. */
  readonly sentencesLeft: number;
  /** Set if the call is to be ended as soon as the current answer is settled. */
  readonly farewell: FarewellReason | undefined;
  readonly stage: Stage;
};

export type DialogueStep = { readonly dialogue: Dialogue; readonly actions: readonly DialogueAction[] };

export const sentencesPerCall = 24;
export const sentencesPerAlarm = 6;

export const isSettled = (dialogue: Dialogue, { attemptId }: DialogueAlarm): boolean =>
  dialogue.settled.includes(attemptId);

export function openAlarms(dialogue: Dialogue): readonly DialogueAlarm[] {
  return dialogue.alarms.filter((alarm) => !isSettled(dialogue, alarm));
}

/** Nothing happens, and nothing that goes on is interrupted. */
export const stay = (dialogue: Dialogue): DialogueStep => ({ dialogue, actions: [] });

/**
 * Says something and enters the stage; says goodbye instead if the call has lasted too long. The result of an answer is
 * always said.
 */
export function say(dialogue: Dialogue, stage: Stage, prompts: readonly Prompt[]): DialogueStep {
  const { settings, sentencesLeft } = dialogue;
  const isTooLong = sentencesLeft <= 0 && stage.kind !== 'concluding';
  if (isTooLong) return close(dialogue, dialogueWordsOf(settings.language).goodbye);
  const next = { ...dialogue, stage, sentencesLeft: sentencesLeft - 1 };
  return { dialogue: next, actions: [{ kind: 'say', prompts }] };
}

/** Says a last sentence. The call is hung up when it was said. */
export function close(dialogue: Dialogue, sentence: string): DialogueStep {
  const prompts: readonly Prompt[] = [{ kind: 'text', text: sentence }];
  return { dialogue: { ...dialogue, stage: { kind: 'closing' } }, actions: [{ kind: 'say', prompts }] };
}

export function hangUp(dialogue: Dialogue): DialogueStep {
  return { dialogue: { ...dialogue, stage: { kind: 'ended' } }, actions: [{ kind: 'hangUp' }] };
}
