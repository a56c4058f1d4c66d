/**
 * Search is a plain substring test: a marker stands before every word of the stored text and of the term, so
 * that a term is found only where a word begins. One that begins with a sign (`%`, `\`, an emoji) is found
 * anywhere.
 */
const wordStart = '\u0001';
const fieldStart = '\u0002';

const words = /[\p{L}\p{N}]+/gu;
const unseen = /[[\p{M}\p{Cc}\p{Cf}]--\p{White_Space}]/gv;
const whiteSpace = /\p{White_Space}+/gu;

// Letters that Unicode does not take apart, though people leave out the stroke or write two letters;
// and the sigma at the end of a word, which is no other letter than the one within.
const plainLetters: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ς: 'σ',
};
const unplainLetters = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');

const plain = /^[ -~]*$/;
const spaces = / {2,}/g;

const maximumLexemeLength = 64;

/** What is stored for `matchesSearch`. No phrase runs from one field into the next. */
export function searchText(fields: readonly string[]): string {
  return fields.map((field) => markWords(fold(field))).join(` ${fieldStart}`);
}

/** The words and `"quoted phrases"` of what a user typed; whatever was typed, it is never an error. */
export function searchTerms(query: string): string[] {
  const chunks = fold(query).match(/"[^"]*"?|[^ "]+/g) ?? [];
  const terms = chunks.map((chunk) => markWords(chunk.replaceAll('"', '').trim()));
  return [...new Set(terms)].filter((term) => term !== '');
}

/**
 * The distinct words of a search text or term, for an index that narrows the search: where a term matches a
 * text, each lexeme of the term begins a lexeme of the text.
 */
export function searchLexemes(text: string): string[] {
  return [...new Set(text.match(words)?.map(cutLexeme))];
}

/** Whether every term occurs. What any faster search must agree with. */
export function matchesSearch(text: string, terms: readonly string[]): boolean {
  return terms.every((term) => text.includes(term));
}

function markWords(folded: string): string {
  return folded.replace(words, `${wordStart}$&`);
}

/** Takes away case, accents, unseen characters and needless space. Folding twice changes nothing more. */
function fold(text: string): string {
  // Plain letters and signs, which most texts are made of, have none of the rest.
  if (plain.test(text)) return text.toLowerCase().replace(spaces, ' ').trim();
  return (
    text
      .toWellFormed()
      .normalize('NFKD')
      .replace(unseen, '')
      // Upper case in between turns ß into ss and the dotless ı into i.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replace(unplainLetters, (letter) => plainLetters[letter] ?? letter)
      .replace(whiteSpace, ' ')
      .trim()
  );
}

// Cut between code points, so that no lexeme ends in half a character.
function cutLexeme(word: string): string {
  return word.length <= maximumLexemeLength ? word : Array.from(word).slice(0, maximumLexemeLength).join('');
}
