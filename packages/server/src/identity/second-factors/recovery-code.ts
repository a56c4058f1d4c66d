import { randomBytes } from 'node:crypto';
import { sha256 } from '../tokens/secret.ts';

const recoveryCodeCount = 10;

/** Crockford's letters: none looks like another one or like a digit. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const groups = 3;
const groupLength = 5;

/** Codes such as `7K2QF-XH3AM-9PDR4`, each with 75 random bits. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, newCode);
}

function newCode(): string {
  const random = [...randomBytes(groups * groupLength)]
    .map((byte) => letters[byte % letters.length])
    .join('');
  return (random.match(/.{5}/g) ?? []).join('-');
}

/** People read codes from paper, so spaces, case and letters that look like digits do not matter. */
export function hashRecoveryCode(typed: string): Buffer {
  const plain = typed
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  return sha256(`recovery code ${plain}`);
}
