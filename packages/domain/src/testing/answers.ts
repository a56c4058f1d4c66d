import * as fc from 'fast-check';
import type { AttemptOutcome } from '../calling/delivery.ts';
import type { Answer } from './night.ts';

export const outcomes: fc.Arbitrary<AttemptOutcome> = fc.constantFrom<AttemptOutcome>(
  { kind: 'accepted' },
  { kind: 'ringing' },
  { kind: 'declined' },
  { kind: 'delivered' },
  { kind: 'answered' },
  { kind: 'acknowledged' },
  { kind: 'busy' },
  { kind: 'noAnswer' },
  { kind: 'refused', reason: 'declined' },
  { kind: 'failed', permanent: false, reason: 'HTTP 500' },
  { kind: 'failed', permanent: true, reason: 'no such number' },
  { kind: 'unknown', reason: 'timed out' },
);

/** Answers of a provider to consecutive tries; undefined for no answer. */
export const answers: fc.Arbitrary<Answer[]> = fc.array(
  fc.option(fc.record({ outcome: outcomes, afterSeconds: fc.integer({ min: 1, max: 40 }) }), {
    nil: undefined,
  }),
  { minLength: 1, maxLength: 8 },
);

/** Returns the answers one after the other, again and again. */
export function cycleThrough(list: readonly Answer[]): () => Answer {
  let next = 0;
  return () => list[next++ % list.length];
}
