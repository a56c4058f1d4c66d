import { callWordsOf } from './call-words.ts';
import type { Message } from './message.ts';
import { cleanLine } from './plain-text.ts';

const maxLineLength = 200;

/** A paragraph with one line for each of several alarms, and their rest as a number; none for a single alarm. */
export function listedAlarms({ alarms, alarmCount, language }: Message): string[] {
  if (alarmCount < 2) return [];
  const listed = alarms.map(({ message }) => `- ${cleanLine(message, maxLineLength)}`);
  const unlisted = alarmCount - alarms.length;
  const { andMore } = callWordsOf(language);
  return [[...listed, ...(unlisted > 0 ? [`- ${andMore(unlisted)}`] : [])].join('\n')];
}
