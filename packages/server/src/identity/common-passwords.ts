import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const file = new URL('../../data/common-passwords.bin', import.meta.url);
const digestBytes = 5;
let digests: Buffer | undefined;

/** The password as it is compared: who writes it in capitals has not made it harder to guess. */
export function foldPassword(password: string): string {
  return password.normalize('NFKC').toLowerCase();
}

export function digestOf(folded: string): Buffer {
  return hash('sha256', folded, 'buffer').subarray(0, digestBytes);
}

/** Whether a folded password is on the list that is shipped: data/README.md says which. */
export function isCommonPassword(folded: string): boolean {
  digests ??= readFileSync(file);
  const wanted = digestOf(folded);
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
