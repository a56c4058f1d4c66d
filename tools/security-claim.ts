/** A test that shows a defence: its file and its name, as it stands there. */
export type Proof = readonly [file: string, name: string];

/** What somebody might do, what keeps them from it, and the tests that show it. */
export type SecurityClaim = { threat: string; defence: string; proofs: readonly [Proof, ...Proof[]] };

export const server = 'packages/server/src';
