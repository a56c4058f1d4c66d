import { dialogueWordsOf } from '@tocsin/domain';
import { type Static, Type } from 'typebox';
import type { Message } from '../port/message.ts';
import { cleanText } from '../port/plain-text.ts';
import { readJson } from '../port/read-json.ts';

/**
 * The content of a call. It travels in the URL that the provider calls back, so that any server can repeat it; the
 * provider signs the URL.
 */
const SpokenCall = Type.Object({
  language: Type.String({ maxLength: 35 }),
  lines: Type.Array(Type.String()),
  /** The attempts whose alarms are said, by name. */
  heard: Type.Array(Type.String()),
  /** `none` if no answer is expected. */
  answer: Type.Enum(['take', 'confirm', 'none']),
});
export type SpokenCall = Static<typeof SpokenCall>;

/** Providers limit the size of what is said, and of URLs. */
const maxBytes = 900;

/** The alarms of a message as they are said. Alarms for which there is no room are not said, and cannot be taken. */
export function spokenCallOf(message: Message): SpokenCall {
  const { language, alarms, alarmCount, attemptId } = message;
  const answer = alarmCount > 0 ? 'take' : 'confirm';
  const expected = message.answer === undefined ? 'none' : answer;
  if (alarms.length <= 1)
    return { language, lines: [cut(lineOf(message.text), maxBytes)], heard: [attemptId], answer: expected };
  const words = dialogueWordsOf(language);
  const lines: string[] = [];
  const heard: string[] = [];
  let left = maxBytes;
  for (const [index, alarm] of alarms.entries()) {
    const number = index === 0 ? words.firstOf(alarmCount) : words.alarmNumber(index + 1, alarmCount);
    const line = cut(`${number} ${lineOf(alarm.message)}`, maxBytes);
    if (Buffer.byteLength(line) > left) break;
    left -= Buffer.byteLength(line);
    lines.push(line);
    heard.push(alarm.attemptId);
  }
  return { language, lines, heard, answer: expected };
}

function lineOf(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

function cut(text: string, bytes: number): string {
  let kept = '';
  let left = bytes;
  for (const character of text) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    kept += character;
  }
  return kept;
}

export function encodeSpokenCall(spoken: SpokenCall): string {
  return Buffer.from(JSON.stringify(spoken)).toString('base64url');
}

export function decodeSpokenCall(text: string): SpokenCall | undefined {
  return readJson(SpokenCall, Buffer.from(text, 'base64url').toString('utf8'));
}
