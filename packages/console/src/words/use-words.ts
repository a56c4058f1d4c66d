import { useSyncExternalStore } from 'react';
import { en, type Words } from './en.ts';

export type { Words };

export const languages = ['en', 'fr', 'de', 'es'] as const;
export type Language = (typeof languages)[number];
/** Each language in its own words, for those who cannot read the present one. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  fr: 'Français',
  de: 'Deutsch',
  es: 'Español',
};

const loaders: Record<Language, () => Promise<Words>> = {
  en: async () => en,
  fr: async () => (await import('./fr.ts')).fr,
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
};

let current: { language: Language; words: Words } = { language: 'en', words: en };
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows the console in another language; the page stays as it is until its words are loaded. */
export async function setLanguage(language: Language): Promise<void> {
  current = { language, words: await loaders[language]() };
  document.documentElement.lang = language;
  for (const listener of listeners) listener();
}

/** The first language of the browser that the console speaks. */
export function browserLanguage(): Language {
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2));
  return wanted.map((tag) => languages.find((known) => known === tag)).find((known) => known) ?? 'en';
}

const wordsNow = () => current.words;
const languageNow = () => current.language;
export const useWords = (): Words => useSyncExternalStore(subscribe, wordsNow, wordsNow);
export const useLanguage = (): Language => useSyncExternalStore(subscribe, languageNow, languageNow);
