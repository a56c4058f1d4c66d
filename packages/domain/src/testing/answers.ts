import * as fc from 'fast-check';
import type { Outcome } from '../delivery.ts';
import type { Answer } from './night.ts';

export const outcomes: fc.Arbitrary<Outcome> = fc.constantFrom<Outcome>(
  { kind: 'accepted' },
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

/** What a provider makes of one try after the other, over and over; sometimes nothing at all. */
export const answers: fc.Arbitrary<Answer[]> = fc.array(
  fc.option(fc.record({ outcome: outcomes, afterSeconds: fc.integer({ min: 1, max: 40 }) }), {
    nil: undefined,
  }),
  { minLength: 1, maxLength: 8 },
);

/** The answers in turn, over and over. */
export function inTurn(list: readonly Answer[]): () => Answer {
  let next = 0;
  return () => list[next++ % list.length];
}
