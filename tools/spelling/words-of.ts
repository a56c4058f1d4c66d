/** Parts of a document that are not prose: code, addresses, comments, tags, front matter. */
const notProse = [
  /^```[^]*?^```$/gm,
  /`[^`\n]*(?:\n[^`\n]+)?`/g,
  /<!--[^]*?-->/g,
  /\]\([^)\s]*\)/g,
  /https?:\/\/\S+/g,
  /<[^>]+>/g,
  /\S*[@/\\_]\S*/g,
];

const word = /\p{L}[\p{L}’']*/gu;

/** The words of the prose of a document, each once. Names of files, settings and members are not words. */
export function wordsOf(markdown: string): string[] {
  const prose = notProse.reduce((text, part) => text.replaceAll(part, ' '), markdown);
  const found = (prose.match(word) ?? []).map((each) => each.replaceAll('’', "'").replace(/'s?$/, ''));
  return [...new Set(found)].filter((each) => each.length > 1 && !isName(each));
}

/** Written in capitals, with capitals inside, or with letters of another alphabet: a name or an abbreviation. */
const isName = (each: string) => /\p{Ll}\p{Lu}|^\p{Lu}{2}/u.test(each);
