import { english } from './words/english.ts';
import { french } from './words/french.ts';
import { german } from './words/german.ts';
import { spanish } from './words/spanish.ts';
import type { DialogueWords } from './words/words.ts';

export const dialogueLanguages = ['en', 'fr', 'de', 'es'] as const;
type DialogueLanguage = (typeof dialogueLanguages)[number];

const words: Readonly<Record<DialogueLanguage, DialogueWords>> = {
  en: english,
  fr: french,
  de: german,
  es: spanish,
};

/** The language that a call is held in, for a BCP 47 tag: its first part, or English. */
export function dialogueLanguageOf(tag: string): DialogueLanguage {
  const [language = ''] = tag.toLowerCase().split(/[-_]/, 1);
  return dialogueLanguages.find((known) => known === language) ?? 'en';
}

export function dialogueWordsOf(tag: string): DialogueWords {
  return words[dialogueLanguageOf(tag)];
}
