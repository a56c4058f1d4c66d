import { existsSync, readFileSync } from 'node:fs';

/** A test that shows a defence: its file and its exact name. */
export type Proof = readonly [file: string, name: string];

/** A threat, the defence against it, and the tests that show it. */
export type SecurityClaim = { threat: string; defence: string; proofs: readonly [Proof, ...Proof[]] };

export const server = 'packages/server/src';

const root = new URL('../', import.meta.url);

/** Whether the test exists. Searches for the name only, because some tests get theirs in a loop or over several lines. */
export function isThere([path, name]: Proof): boolean {
  const place = new URL(path, root);
  return existsSync(place) && readFileSync(place, 'utf8').includes(name);
}
