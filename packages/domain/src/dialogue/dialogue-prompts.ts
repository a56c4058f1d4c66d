import { type Dialogue, openAlarms } from './dialogue-state.ts';
import type { DialogueAlarm, Prompt } from './dialogue-types.ts';
import { dialogueWordsOf } from './dialogue-words.ts';

export const textPrompt = (text: string): Prompt => ({ kind: 'text', text });

/** Separates digits, so that 482913 is read digit by digit and not as a number. */
const separateDigits = (digits: string): string => Array.from(digits).join(' ');

/** Four digits and more are the name of a thing, unless they belong to a decimal fraction. */
const identifier = /(?<![\d.,])\d{4,}(?![.,]?\d)/g;

export function alarmPrompt({ text, audio }: DialogueAlarm): Prompt {
  const spoken = text.replace(identifier, separateDigits);
  return audio === '' ? textPrompt(spoken) : { kind: 'audio', name: audio, text: spoken };
}

/** Said when the call is answered: who calls, the number of alarms, and the first alarm. */
export function openingPrompts(dialogue: Dialogue, alarm: DialogueAlarm): Prompt[] {
  const { settings, alarms } = dialogue;
  const words = dialogueWordsOf(settings.language);
  const greeting = settings.isNotice ? [] : [textPrompt(words.greeting(settings.caller || 'Tocsin'))];
  const count = settings.hasAlarm && alarms.length > 1 ? [textPrompt(words.firstOf(alarms.length))] : [];
  return [...greeting, ...count, alarmPrompt(alarm)];
}

/** An alarm with its number, if there are several. */
export function numberedAlarm(dialogue: Dialogue, at: number): Prompt[] {
  const { settings, alarms } = dialogue;
  const alarm = alarms[at];
  if (alarm === undefined) return [];
  const isNumbered = settings.hasAlarm && alarms.length > 1;
  const number = dialogueWordsOf(settings.language).alarmNumber(at + 1, alarms.length);
  return [...(isNumbered ? [textPrompt(number)] : []), alarmPrompt(alarm)];
}

/** The keys that can be pressed now. */
export function menuPrompts(dialogue: Dialogue): Prompt[] {
  return menuSentences(dialogue).map(textPrompt);
}

function menuSentences(dialogue: Dialogue): string[] {
  const { settings, unmentioned } = dialogue;
  const { answerBy, hasAlarm, isNotice, language, code = '' } = settings;
  const words = dialogueWordsOf(language);
  const digits = separateDigits(code);
  const open = openAlarms(dialogue).length;
  if (answerBy === 'none') return [words.pressToRepeat];
  if (answerBy === 'code') {
    return [hasAlarm ? words.codeToTake(open, digits) : words.codeToConfirm(digits), words.pressToRepeat];
  }
  if (isNotice) return [words.pressToConfirmTest, words.pressToRepeat];
  if (!hasAlarm) return [words.pressToConfirm, words.pressToRepeat];
  if (open <= 1) return [words.pressToTake, words.pressToRefuse, words.pressToRepeat];
  return [
    ...(unmentioned > 0 ? [words.further(unmentioned)] : []),
    words.pressToTakeHeard,
    words.pressToRefuse,
    words.pressForNext,
    words.pressToTakeThis,
    words.pressToRepeat,
  ];
}
