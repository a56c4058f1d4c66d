/**
 * Search is a substring test. A marker precedes every word of the stored text and of the term, so that a term matches
 * only at the start of a word. A term that starts with a symbol (`%`, `\`, an emoji) matches anywhere.
 */
const wordStart = '\u0001';
const fieldStart = '\u0002';

const words = /[\p{L}\p{N}]+/gu;
const invisible = /[[\p{M}\p{Cc}\p{Cf}]--\p{White_Space}]/gv;
const whiteSpace = /\p{White_Space}+/gu;

// Letters that Unicode does not decompose, although people omit the stroke or write two letters;
// and the final sigma, which is the same letter as the sigma within a word.
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
const specialLetters = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');

const printableAscii = /^[ -~]*$/;
const spaces = / {2,}/g;

const maxLexemeLength = 64;

/** The stored text for `matchesSearch`. No phrase matches across two fields. */
export function searchText(fields: readonly string[]): string {
  return fields.map((field) => markWords(normalize(field))).join(` ${fieldStart}`);
}

/** The words and `"quoted phrases"` of a query. No query is an error. */
export function searchTerms(query: string): string[] {
  const chunks = normalize(query).match(/"[^"]*"?|[^ "]+/g) ?? [];
  const terms = chunks.map((chunk) => markWords(chunk.replaceAll('"', '').trim()));
  return [...new Set(terms)].filter((term) => term !== '');
}

/**
 * The distinct words of a search text or term, for an index that narrows the search: if a term matches a text, each
 * lexeme of the term is a prefix of a lexeme of the text.
 */
export function searchLexemes(text: string): string[] {
  return [...new Set(text.match(words)?.map(cutLexeme))];
}

/** Whether every term occurs. A search by index must give the same result. */
export function matchesSearch(text: string, terms: readonly string[]): boolean {
  return terms.every((term) => text.includes(term));
}

function markWords(normalized: string): string {
  return normalized.replace(words, `${wordStart}$&`);
}

/** Removes case, accents, invisible characters and redundant spaces. Idempotent. */
function normalize(text: string): string {
  // A shortcut for most texts.
  if (printableAscii.test(text)) return text.toLowerCase().replace(spaces, ' ').trim();
  return (
    text
      .toWellFormed()
      .normalize('NFKD')
      .replace(invisible, '')
      // The detour by upper case replaces ß by ss and the dotless ı by i.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replace(specialLetters, (letter) => plainLetters[letter] ?? letter)
      .replace(whiteSpace, ' ')
      .trim()
  );
}

// Cuts between code points, so that no lexeme ends in half a character.
function cutLexeme(word: string): string {
  return word.length <= maxLexemeLength ? word : Array.from(word).slice(0, maxLexemeLength).join('');
}
