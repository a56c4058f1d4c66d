import { press } from './dialogue-answer.ts';
import { textPrompt } from './dialogue-prompts.ts';
import {
  type Dialogue,
  type DialogueStep,
  openAlarms,
  type PendingAnswer,
  say,
  stay,
} from './dialogue-state.ts';
import { nextOpen, offer, tell } from './dialogue-telling.ts';
import type { Choice } from './dialogue-types.ts';
import { dialogueWordsOf } from './dialogue-words.ts';

/** An entry ends after this silence. */
const entrySeconds = 4;
/** After a whole code only one more key can follow. */
const afterCodeSeconds = 2;
const codeDigits = 6;
const maxPinDigits = 12;

/** A key that was pressed while an alarm was said, or the keys explained. */
export function pressMenuKey(dialogue: Dialogue, at: number, key: string): DialogueStep {
  const { answerBy } = dialogue.settings;
  const present = { ...dialogue, silentRounds: 0 };
  if (key === '*') return tell(present, answerBy === 'code' ? nextOpen(present, -1) : at);
  if (answerBy === 'none') return stay(dialogue);
  if (answerBy === 'code') return isDigit(key) ? beginCode(present, at, key) : stay(dialogue);
  return chooseByKey(present, at, key) ?? stay(dialogue);
}

function chooseByKey(dialogue: Dialogue, at: number, key: string): DialogueStep | undefined {
  const { hasAlarm } = dialogue.settings;
  const hasSeveral = openAlarms(dialogue).length > 1;
  if (key === '1') return answerWith(dialogue, at, answerAbout(dialogue, at, hasAlarm ? 'take' : 'confirm'));
  if (!hasAlarm) return undefined;
  if (key === '2') return answerWith(dialogue, at, answerAbout(dialogue, at, 'refuse'));
  if (key === '3' && hasSeveral) return tell(dialogue, nextOpen(dialogue, at));
  if (key === '4' && hasSeveral) return answerWith(dialogue, at, answerAboutOne(dialogue, at));
  return undefined;
}

const isDigit = (key: string): boolean => /^[0-9]$/.test(key);

/** An answer about all alarms that were said. The one that is being said counts, too. */
function answerAbout(dialogue: Dialogue, at: number, choice: Choice): PendingAnswer {
  const current = answerAboutOne(dialogue, at);
  const isMeant = (attemptId: string) =>
    dialogue.heard.includes(attemptId) || current.heard.includes(attemptId);
  const heard = openAlarms(dialogue).map(({ attemptId }) => attemptId);
  return { ...current, choice, heard: heard.filter(isMeant) };
}

function answerAboutOne({ alarms, heard, stage }: Dialogue, at: number): PendingAnswer {
  const alarm = alarms[at];
  const isInterrupted = stage.kind === 'telling' && alarm !== undefined && !heard.includes(alarm.attemptId);
  return {
    choice: 'take',
    heard: alarm === undefined ? [] : [alarm.attemptId],
    interrupted: isInterrupted ? alarm : undefined,
  };
}

function answerWith(dialogue: Dialogue, at: number, answer: PendingAnswer): DialogueStep {
  if (dialogue.settings.answerBy === 'pin') return askForPin(dialogue, at, answer);
  return press(dialogue, { at, answer, proof: { kind: 'leg' } });
}

function beginCode(dialogue: Dialogue, at: number, key: string): DialogueStep {
  return waitForMore(dialogue, { at, answer: answerAbout(dialogue, at, 'take'), entry: key });
}

type Entering = { readonly at: number; readonly answer: PendingAnswer; readonly entry: string };

export function askForPin(dialogue: Dialogue, at: number, answer: PendingAnswer): DialogueStep {
  const { enterPin } = dialogueWordsOf(dialogue.settings.language);
  return say(dialogue, { kind: 'entering', at, answer, entry: '' }, [textPrompt(enterPin)]);
}

/** A key of a PIN or code. */
export function pressEntryKey(dialogue: Dialogue, entering: Entering, key: string): DialogueStep {
  const { at, answer, entry } = entering;
  const isPin = dialogue.settings.answerBy === 'pin';
  if (key === '#') return entry === '' ? offer(dialogue, at) : submitEntry(dialogue, entering);
  if (key === '*') return isPin ? askForPin(dialogue, at, answer) : offer(dialogue, at);
  if (!isDigit(key)) return stay(dialogue);
  const entered = { ...entering, entry: entry + key };
  const isFull = entered.entry.length >= (isPin ? maxPinDigits : codeDigits + 1);
  return isFull ? submitEntry(dialogue, entered) : waitForMore(dialogue, entered);
}

function waitForMore(dialogue: Dialogue, { at, answer, entry }: Entering): DialogueStep {
  const isWholeCode = dialogue.settings.answerBy === 'code' && entry.length === codeDigits;
  return {
    dialogue: { ...dialogue, silentRounds: 0, stage: { kind: 'entering', at, answer, entry } },
    actions: [{ kind: 'listen', seconds: isWholeCode ? afterCodeSeconds : entrySeconds }],
  };
}

/** The code alone, or followed by 1, takes the alarm; followed by 2 it only confirms the call. */
export function submitEntry(dialogue: Dialogue, { at, answer, entry }: Entering): DialogueStep {
  const { answerBy, hasAlarm } = dialogue.settings;
  if (answerBy === 'pin') return press(dialogue, { at, answer, proof: { kind: 'pin', given: entry } });
  const [, code = entry, key] = /^(\d{6})([12])$/.exec(entry) ?? [];
  const choice = key === '2' || !hasAlarm ? 'confirm' : 'take';
  return press(dialogue, { at, answer: { ...answer, choice }, proof: { kind: 'code', given: code } });
}
