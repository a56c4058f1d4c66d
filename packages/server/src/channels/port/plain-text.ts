/** Control characters except the line feed, and characters that change the writing direction. */
const unwanted = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Removes control characters and changes of direction, and unifies line ends. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(/\t/g, ' ')
    .replace(unwanted, '')
    .toWellFormed();
}

/** Like `cleanText`, in one line, so that the text cannot start a header. */
export function cleanLine(text: string, maxLength: number): string {
  const line = cleanText(text).replace(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : line;
}
