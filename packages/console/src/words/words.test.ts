import { describe, expect, test } from 'vitest';
import { de } from './de.ts';
import { en, type Words } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

type Text = { readonly path: string; readonly text: string; readonly args: readonly string[] };

/** Arguments that can be found again in a text. As texts of figures they suit names, times and counts. */
const samples = ['17', '18', '19'];

/** All texts; functions are called with as many arguments as the English one takes. */
function textsOf(words: unknown, english: unknown, path = ''): Text[] {
  if (typeof words === 'string') return [{ path, text: words, args: [] }];
  if (typeof words === 'function') {
    const args = samples.slice(0, (english as (...args: string[]) => string).length);
    return [{ path, text: (words as (...args: string[]) => string)(...args), args }];
  }
  return Object.entries(words as object).flatMap(([name, member]) =>
    textsOf(member, (english as Record<string, unknown>)[name], path === '' ? name : `${path}.${name}`),
  );
}

const englishTexts = textsOf(en, en);
const pathsOf = (texts: readonly Text[]) => texts.map(({ path }) => path).toSorted();
const translations: Record<string, Words> = { fr, de, es };

/** Texts that are the same in English, because both languages use the word. */
const sameWords: Record<string, readonly string[]> = {
  fr: [
    'Station',
    'Stations',
    'station',
    'Site',
    'Message',
    'Occurrences',
    'Position',
    'Sources',
    'SMS',
    'e-mail',
    'push',
    'webhook',
    'version 17',
    'Version 17',
    'API',
    'Notes',
    '17 min',
    '17 s',
  ],
  de: [
    'API',
    'Version 17',
    'Alarm',
    'Name',
    'Pager',
    'Parameter',
    'Push',
    'System',
    'Teams',
    'Webhook',
    'Server',
    'Station',
    'Team',
    'Team: 17',
    'Medium',
    'Position',
    'SMS',
    '17 in 18',
    'in 17',
    '17 min',
    '17 s',
  ],
  es: ['API', 'SMS', 'no', 'push', 'webhook', '17 min', '17 s'],
};

describe.each(Object.entries({ en, ...translations }))('%s', (_language, words) => {
  const texts = textsOf(words, en);

  test('says everything that English says, and no more', () => {
    expect(pathsOf(texts)).toEqual(pathsOf(englishTexts));
  });

  test('leaves no text empty and no space around it', () => {
    expect(texts.filter(({ text }) => text === '' || text !== text.trim())).toEqual([]);
  });

  test('tells the operator each name, time and count', () => {
    expect(texts.filter(({ text, args }) => !args.every((arg) => text.includes(arg)))).toEqual([]);
  });

  test('has no exclamation mark', () => {
    expect(texts.filter(({ text }) => text.includes('!'))).toEqual([]);
  });
});

test.each(Object.entries(translations))(
  '%s is translated, except for the words that are the same',
  (language, words) => {
    const english = new Map(englishTexts.map(({ path, text }) => [path, text]));
    const same = textsOf(words, en).filter(
      ({ path, text }) => english.get(path) === text && /\p{Letter}/u.test(text),
    );
    expect([...new Set(same.map(({ text }) => text))].toSorted()).toEqual(sameWords[language]?.toSorted());
  },
);

test.each([
  ['en', en, '1 active alarm is hidden by the filter.', '2 active alarms are hidden by the filter.'],
  ['fr', fr, '1 alarme active est cachée par le filtre.', '2 alarmes actives sont cachées par le filtre.'],
  [
    'de',
    de,
    '1 aktiver Alarm ist durch den Filter verborgen.',
    '2 aktive Alarme sind durch den Filter verborgen.',
  ],
  ['es', es, 'El filtro oculta 1 alarma activa.', 'El filtro oculta 2 alarmas activas.'],
] as const)('%s tells one alarm from two', (_language, words, one, two) => {
  expect([words.list.hidden(1), words.list.hidden(2)]).toEqual([one, two]);
});

test('French counts none as one', () => {
  expect([0, 1, 2].map(fr.list.held)).toEqual(['0 nouvelle', '1 nouvelle', '2 nouvelles']);
});

test('a mask of hours is said in hours in every language', () => {
  for (const words of [en, fr, de, es]) expect(words.mask.go(words.mask.minutes(480))).toContain('8 h');
});

test('the name of who has taken an alarm comes last, because the list sets it apart', () => {
  for (const words of [en, fr, de, es]) expect(words.called.takenBy('Ada')).toMatch(/ Ada$/);
});
