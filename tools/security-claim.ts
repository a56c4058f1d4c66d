/** A test that shows a defence: its file and its exact name. */
export type Proof = readonly [file: string, name: string];

/** A threat, the defence against it, and the tests that show it. */
export type SecurityClaim = { threat: string; defence: string; proofs: readonly [Proof, ...Proof[]] };

export const server = 'packages/server/src';
