import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OccurrenceText } from './alarm-record.ts';
import { digestOf, isSameText } from './text-digest.ts';

const texts: fc.Arbitrary<OccurrenceText> = fc.record({
  message: fc.constantFrom('hot', 'cold'),
  comment: fc.constantFrom('', 'looked at'),
  stationId: fc.constantFrom(1, 2),
  dataServerId: fc.constantFrom(1, 2),
  tagGroupId: fc.constantFrom(null, 1),
  callGroupIds: fc.constantFrom([], [1], [1, 2], [12]),
});

test('two texts are the same if and only if their digests are', () => {
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      expect(isSameText(one, other)).toBe(digestOf(one) === digestOf(other));
      expect(isSameText(one, structuredClone(one))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('every member of a text is compared', () => {
  const text = {
    message: 'hot',
    comment: '',
    stationId: 1,
    dataServerId: 1,
    tagGroupId: null,
    callGroupIds: [],
  };
  const others = [
    { message: 'cold' },
    { comment: 'looked at' },
    { stationId: 2 },
    { dataServerId: 2 },
    { tagGroupId: 1 },
    { callGroupIds: [1] },
  ];
  for (const other of others) expect(isSameText(text, { ...text, ...other })).toBe(false);
});
