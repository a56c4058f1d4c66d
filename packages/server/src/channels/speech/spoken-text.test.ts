import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { spokenText } from './spoken-text.ts';

test('signs that an engine would interpret as markup are not spoken', () => {
  expect(spokenText('Pump <break time="9s"/> 3 &lt; 4')).toBe('Pump break time="9s"/ 3 lt; 4');
  expect(spokenText('Tank [[h@l\u0259U]]\u0000 leaks\r\nnow\u202e')).toBe('Tank h@l\u0259U leaks now');
});

test('letters of all languages stay', () => {
  expect(spokenText('Überdruck à l’étage, ¡atención! 92 °C')).toBe('Überdruck à l’étage, ¡atención! 92 °C');
});

test('a long text is cut between words', () => {
  const cut = spokenText('overflow '.repeat(5_000));
  expect(cut.length).toBeLessThanOrEqual(500);
  expect(cut).toMatch(/^(overflow )+overflow$/);
  expect(spokenText('x'.repeat(900))).toHaveLength(500);
});

test('any text becomes one short line without markup', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 700 }), (text) => {
      const spoken = spokenText(text);
      expect(Array.from(spoken).length).toBeLessThanOrEqual(500);
      expect(spoken).not.toMatch(/[\p{Cc}<>&[\]]/u);
      expect(spoken.isWellFormed()).toBe(true);
    }),
    { numRuns: 200 },
  );
});
