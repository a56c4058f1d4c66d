import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../testing/any-text.ts';
import { matchesSearch, searchLexemes, searchTerms, searchText } from './search-text.ts';

/** Typed text, and its form for comparison. */
type Typed = { typed: string; plain: string };

const characters = fc.constantFrom<Typed>(
  { typed: 'a', plain: 'a' },
  { typed: 'A', plain: 'a' },
  { typed: 'á', plain: 'a' },
  { typed: 'A\u030A', plain: 'a' },
  { typed: 'b', plain: 'b' },
  { typed: '1', plain: '1' },
  { typed: 'ß', plain: 'ss' },
  { typed: '𠮷', plain: '𠮷' },
  { typed: '%', plain: '%' },
  { typed: '\\', plain: '\\' },
  { typed: '🔥', plain: '🔥' },
  { typed: '\u0000', plain: '' },
  { typed: '\u0301', plain: '' },
  { typed: '\uD800', plain: '\uFFFD' },
);

function wordsOf({ maxLength }: { maxLength: number }): fc.Arbitrary<Typed> {
  return fc.array(characters, { minLength: 1, maxLength }).map((parts) => ({
    typed: parts.map(({ typed }) => typed).join(''),
    plain: parts.map(({ plain }) => plain).join(''),
  }));
}

function phrasesOf(words: fc.Arbitrary<Typed>): fc.Arbitrary<Typed> {
  return fc.array(words, { minLength: 1, maxLength: 3 }).map((parts) => ({
    typed: parts.map(({ typed }) => typed).join(' \t'),
    plain: parts.flatMap(({ plain }) => (plain === '' ? [] : [plain])).join(' '),
  }));
}

const fields = phrasesOf(wordsOf({ maxLength: 6 }));
const queryWords = wordsOf({ maxLength: 2 });
const queryParts = fc.oneof(
  queryWords,
  phrasesOf(queryWords).map(({ typed, plain }) => ({ typed: `"${typed}"`, plain })),
);

function isInWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

/** Compares at every position of the text. */
function occursIn(text: string, term: string): boolean {
  const [present, wanted] = [Array.from(text), Array.from(term)];
  return [...present.keys(), present.length].some((place) => {
    const startsInsideWord = isInWord(present[place - 1]) && isInWord(wanted[0]);
    return !startsInsideWord && wanted.every((character, index) => present[place + index] === character);
  });
}

test('search finds the same as a comparison at every position of every field', () => {
  let found = 0;
  const stored = fc.array(fields, { minLength: 1, maxLength: 3 });
  const queries = fc.array(queryParts, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(stored, queries, (texts, query) => {
      const expected = query.every(({ plain }) => texts.some((text) => occursIn(text.plain, plain)));
      found += expected ? 1 : 0;

      const terms = searchTerms(query.map(({ typed }) => typed).join(' '));
      expect(matchesSearch(searchText(texts.map(({ typed }) => typed)), terms)).toBe(expected);
    }),
    { numRuns: 3_000 },
  );
  expect(found).toBeGreaterThan(300);
});

test('anything that can be stored can be searched for', () => {
  fc.assert(
    fc.property(anyText, anyText, (before, typed) => {
      const text = searchText([before, typed.replaceAll(/["＂]/g, '.')]);
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toContain('\0');
      expect(matchesSearch(text, searchTerms(typed.replaceAll(/["＂]/g, '.')))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('an index of lexemes never hides a match', () => {
  fc.assert(
    fc.property(fields, queryParts, (stored, query) => {
      const text = searchText([stored.typed]);
      const indexed = searchLexemes(text);
      const passes = searchLexemes(searchTerms(query.typed).join(' ')).every((lexeme) =>
        indexed.some((word) => word.startsWith(lexeme)),
      );
      expect(passes || !matchesSearch(text, searchTerms(query.typed))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
