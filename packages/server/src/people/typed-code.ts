import { randomInt } from 'node:crypto';
import { sha256 } from '../identity/tokens/secret.ts';

/** Without characters that are easily confused: no 0 or O, no 1, I or L. */
const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** `K7QM-2XWF-9HTB` for three groups: each adds four letters out of 31, some 20 random bits. */
export function newTypedCode(groups: number): string {
  return Array.from({ length: groups }, fourLetters).join('-');
}

/** Only the hash is stored. Case, spaces and dashes do not count, because people type the code from a screen or paper. */
export function hashTypedCode(code: string): Buffer {
  return sha256(code.toUpperCase().replace(/[\s-]/g, ''));
}

function fourLetters(): string {
  return Array.from({ length: 4 }, () => letters.charAt(randomInt(letters.length))).join('');
}
