import type { MediumKind } from '../calling/call-plan.ts';
import { dialogueLanguageOf } from '../dialogue/dialogue-words.ts';
import {
  englishNotices,
  frenchNotices,
  germanNotices,
  type NoticeWords,
  spanishNotices,
} from './notice-words.ts';

/** What a notice says. */
export type NoticeContent =
  | { kind: 'test' }
  | { kind: 'code'; code: string }
  /** `from` is the beginning of the shift, by the clock of the station. */
  | { kind: 'reminder'; from: string; group: string };

const words: Readonly<Record<ReturnType<typeof dialogueLanguageOf>, NoticeWords>> = {
  en: englishNotices,
  fr: frenchNotices,
  de: germanNotices,
  es: spanishNotices,
};

/** The text of a notice in the language of the person, as it is spoken or written. */
export function noticeText(
  content: NoticeContent,
  { name, language }: { name: string; language: string },
  medium: MediumKind,
): string {
  const { test, code, spokenCode, reminder } = words[dialogueLanguageOf(language)];
  if (content.kind === 'test') return test(name);
  if (content.kind === 'reminder') return reminder(content.from, content.group);
  return medium === 'Voice' ? spokenCode(Array.from(content.code).join(' ')) : code(content.code);
}
