export type KeyEvent = Pick<KeyboardEvent, 'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;

const isLetter = (key: string) => /^[a-z]$/i.test(key);

/** Some keyboards type another character while Alt is held, so that only the place of the key tells the letter. */
function characterOf({ key, code }: KeyEvent): string {
  if (/^[\x21-\x7e]$/.test(key)) return key;
  return /^Key([A-Z])$/.exec(code)?.[1] ?? key;
}

/**
 * The name of a pressed key: a small letter, `Shift+a`, a sign such as `?`, or a name such as `Escape`. Undefined for keys
 * of the browser. Where single keys are switched off, characters count with Alt only; keys such as arrows always count.
 * The case of the letter is that of Shift alone, so that Caps Lock does not change what a key does.
 */
export function keyOf(event: KeyEvent, isSingle: boolean): string | undefined {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (ctrlKey || metaKey) return undefined;
  const isCharacter = key.length === 1 && key !== ' ';
  if (altKey !== (isCharacter && !isSingle)) return undefined;
  if (!isCharacter) return key;
  const character = characterOf(event);
  if (!isLetter(character)) return character;
  return shiftKey ? `Shift+${character.toLowerCase()}` : character.toLowerCase();
}

/** Whether what is typed belongs to a field or a dialog. */
export const isTyped = ({ target }: Event): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [role="dialog"]') !== null;
