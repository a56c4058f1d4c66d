/** Everything that a terminal might take for a command. A message of a machine must not move the cursor or fake a line. */
const controls = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** A text of the server on one line, without control characters. */
export function plainText(text: string): string {
  return text.replaceAll(/[\r\n\t]+/g, ' ').replaceAll(controls, '\uFFFD');
}

/** The text in this many columns, cut or filled up. */
export function column(text: string, width: number): string {
  const letters = Array.from(plainText(text));
  if (letters.length > width) return `${letters.slice(0, Math.max(0, width - 1)).join('')}…`.slice(0, width);
  return letters.join('').padEnd(width + (letters.join('').length - letters.length));
}

/** `1234` → `1,234`. */
export const grouped = (count: number) => count.toLocaleString('en-US');

/** `1 tag`, `2,000 tags`. */
export const counted = (count: number, noun: string, plural = `${noun}s`) =>
  `${grouped(count)} ${count === 1 ? noun : plural}`;
