import * as fc from 'fast-check';
import type { Occurrence } from '../history/occurrence.ts';

const instants = fc.date({
  min: new Date('2026-04-29T00:00:00Z'),
  max: new Date('2026-04-30T00:00:00Z'),
  noInvalidDate: true,
});

/** Occurrences of few tags and users. Their times are in any order, because the clocks of sources differ. */
export const occurrences: fc.Arbitrary<Occurrence> = fc.record(
  {
    id: fc.nat(),
    tagId: fc.integer({ min: 1, max: 4 }),
    raisedAt: instants,
    acknowledgedAt: instants,
    acknowledgedBy: fc.integer({ min: 1, max: 3 }),
    resetAt: instants,
  },
  { requiredKeys: ['id', 'tagId', 'raisedAt'] },
);

/** The middle of the day on which all of them happen. */
export const noon = new Date('2026-04-29T12:00:00.400Z');
