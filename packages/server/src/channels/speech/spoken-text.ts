/** An engine would speak 30,000 characters for half an hour. */
const maxCharacters = 500;

/**
 * Signs that engines interpret as markup: tags and entities of Pico, phonemes in square brackets of espeak-ng,
 * and every control character.
 */
const markup = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>&[\]]/gu;

/** A text that any engine may speak: one line, without markup, of limited length. */
export function spokenText(text: string): string {
  const line = text.toWellFormed().replace(markup, ' ').replace(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= maxCharacters) return line;
  const cut = characters.slice(0, maxCharacters).join('');
  return cut.replace(/\s\S*$/, '');
}
