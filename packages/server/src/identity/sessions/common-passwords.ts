import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const file = new URL('../../../data/common-passwords.bin', import.meta.url);
const digestBytes = 5;
let digests: Buffer | undefined;

/** The form in which passwords are compared. Capitals do not make a password harder to guess. */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC').toLowerCase();
}

export function digestOf(normalized: string): Buffer {
  return hash('sha256', normalized, 'buffer').subarray(0, digestBytes);
}

/** Whether a normalized password is on the shipped list, which data/README.md describes. */
export function isCommonPassword(normalized: string): boolean {
  digests ??= readFileSync(file);
  const wanted = digestOf(normalized);
  let [low, high] = [0, digests.length / digestBytes];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = digests.compare(wanted, 0, digestBytes, middle * digestBytes, (middle + 1) * digestBytes);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}
