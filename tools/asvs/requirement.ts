import type { Proof } from '../security-claim.ts';

/** A requirement of ASVS 5.0 in our own words, and our answer to it. */
export type Requirement = {
  /** Chapter, section and number, such as 6.2.4. */
  readonly id: string;
  readonly level: 1 | 2;
  readonly asks: string;
  readonly status: 'met' | 'not met' | 'not applicable';
  /** How it is met, or why it is not. */
  readonly answer: string;
  readonly proofs: readonly Proof[];
};

type Level = Requirement['level'];

/** Met, and shown by at least one test. */
export function met(
  [id, level, asks]: readonly [string, Level, string],
  answer: string,
  ...proofs: readonly [Proof, ...Proof[]]
): Requirement {
  return { id, level, asks, status: 'met', answer, proofs };
}

/** Not met, or not shown by a test. */
export function notMet([id, level, asks]: readonly [string, Level, string], answer: string): Requirement {
  return { id, level, asks, status: 'not met', answer, proofs: [] };
}

export function notApplicable(
  [id, level, asks]: readonly [string, Level, string],
  answer: string,
): Requirement {
  return { id, level, asks, status: 'not applicable', answer, proofs: [] };
}
