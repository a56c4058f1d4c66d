import { callWordsOf } from './call-words.ts';
import type { Message } from './message.ts';

/** Spoken after the message: how to answer. Empty if no answer is expected. */
export function spokenPrompt({ answer, alarmCount, language }: Message): string {
  if (answer === undefined) return '';
  const { pressToTake, pressToConfirm } = callWordsOf(language);
  // Separated, so that 482913 is read digit by digit and not as a number.
  const digits = Array.from(answer.code).join(' ');
  return alarmCount > 0 ? pressToTake(alarmCount, digits) : pressToConfirm(digits);
}

/** How to answer by a reply. Empty if no answer is expected. */
export function replyPrompt({ answer, alarmCount, language }: Message): string {
  if (answer === undefined) return '';
  const { replyToTake, replyToConfirm } = callWordsOf(language);
  return alarmCount > 0 ? replyToTake(alarmCount, answer.code) : replyToConfirm(answer.code);
}

/** The text before the link of a message that cannot be replied to. Empty without a link. */
export function linkPrompt({ answer, alarmCount, language }: Message): string {
  if (answer === undefined || answer.link === '') return '';
  const { openToTake, openToConfirm } = callWordsOf(language);
  return alarmCount > 0 ? openToTake(alarmCount) : openToConfirm;
}
