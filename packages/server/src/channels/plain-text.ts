/** Control characters but the line feed, and what turns the direction of writing. */
const unwanted = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A text that says what it shows: no control characters, no reversed writing, lines ended in one way. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(/\t/g, ' ')
    .replace(unwanted, '')
    .toWellFormed();
}

/** As `cleanText`, in one line: nothing of it can begin a header of its own. */
export function cleanLine(text: string, longest: number): string {
  const line = cleanText(text).replace(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line;
}
