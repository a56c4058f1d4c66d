import { expect, test } from 'vitest';
import { answeredCall } from '../testing/held-call.ts';
import { dialogueLanguageOf, dialogueLanguages, dialogueWordsOf } from './dialogue-words.ts';
import type { DialogueWords } from './words/words.ts';

function sentences(words: DialogueWords): string[] {
  const {
    greeting,
    firstOf,
    alarmNumber,
    further,
    codeToTake,
    codeToConfirm,
    taken,
    takenBefore,
    takenBy,
    ...plain
  } = words;
  return [
    ...Object.values(plain),
    greeting('Tocsin'),
    firstOf(2),
    alarmNumber(1, 2),
    further(1),
    further(2),
    codeToTake(1, '4 8'),
    codeToTake(2, '4 8'),
    codeToConfirm('4 8'),
    taken(1),
    taken(2),
    takenBefore('Ann'),
    takenBy('Ann'),
    takenBy(''),
  ];
}

test('the call is held in the language of the person, in English if it is not available', () => {
  expect(['fr', 'fr-CH', 'de_AT', 'ES', 'en-GB', 'pt', '', 'xx-odd'].map(dialogueLanguageOf)).toEqual([
    'fr',
    'fr',
    'de',
    'es',
    'en',
    'en',
    'en',
    'en',
  ]);
  expect(answeredCall({ language: 'es-MX' }).hear().said).toContain(
    'Para hacerse cargo de la alarma, pulse 1.',
  );
});

test('no sentence was forgotten or left in another language', () => {
  const english = sentences(dialogueWordsOf('en'));
  for (const language of dialogueLanguages.filter((one) => one !== 'en')) {
    const translated = sentences(dialogueWordsOf(language));
    expect(translated).toHaveLength(english.length);
    for (const [place, sentence] of translated.entries()) {
      expect(sentence.length).toBeGreaterThan(3);
      expect(sentence).not.toBe(english[place]);
    }
  }
});

test('each language names the same keys', () => {
  for (const language of dialogueLanguages) {
    const words = dialogueWordsOf(language);
    expect(words.pressToTake).toContain(' 1');
    expect(words.pressToTakeHeard).toContain(' 1');
    expect(words.pressToConfirm).toContain(' 1');
    expect(words.pressToRefuse).toContain(' 2');
    expect(words.pressForNext).toContain(' 3');
    expect(words.pressToTakeThis).toContain(' 4');
    expect(words.codeToTake(1, '4 8 2')).toMatch(/4 8 2.* 2\.$/);
  }
});
