import { callWordsOf } from './call-words.ts';
import type { Message } from './channel.ts';

/** What is said after the message at the telephone: how to answer; empty when no answer is waited for. */
export function spokenPrompt({ answer, alarmCount, language }: Message): string {
  if (answer === undefined) return '';
  const { pressToTake, pressToConfirm } = callWordsOf(language);
  // Read digit by digit: 482913 would become four hundred and eighty-two thousand.
  const digits = Array.from(answer.code).join(' ');
  return alarmCount > 0 ? pressToTake(alarmCount, digits) : pressToConfirm(digits);
}

/** What a text that can be replied to says of how to answer; empty when no answer is waited for. */
export function replyPrompt({ answer, alarmCount, language }: Message): string {
  if (answer === undefined) return '';
  const { replyToTake, replyToConfirm } = callWordsOf(language);
  return alarmCount > 0 ? replyToTake(alarmCount, answer.code) : replyToConfirm(answer.code);
}

/** What stands before the link of a letter that cannot be replied to; empty without a link. */
export function linkPrompt({ answer, alarmCount, language }: Message): string {
  if (answer === undefined || answer.link === '') return '';
  const { openToTake, openToConfirm } = callWordsOf(language);
  return alarmCount > 0 ? openToTake(alarmCount) : openToConfirm;
}
