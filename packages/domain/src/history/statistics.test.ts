import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { noon, occurrences } from '../testing/occurrences.ts';
import { mergeDurations } from '../time/duration-sum.ts';
import type { Occurrence } from './occurrence.ts';
import { codeOf, failureStatistics, tallyFailures } from './statistics.ts';
import { mergeTallies } from './tally.ts';

const histories = fc.array(occurrences, { maxLength: 20 });

const shownSecond = (instant: Date) => Math.floor(instant.getTime() / 1000);

/** A reference model: reads the whole history once for each tag and figure. */
function naiveStatistic(history: readonly Occurrence[], tagId: number) {
  const own = history.filter((occurrence) => occurrence.tagId === tagId);
  const lengths = own.map(({ raisedAt, resetAt }) =>
    Math.max(0, shownSecond(resetAt ?? noon) - shownSecond(raisedAt)),
  );
  const total = lengths.reduce((sum, length) => sum + length, 0);
  return {
    failureNumber: own.length,
    failureTotalSeconds: total,
    failureMeanSeconds: (total - (total % own.length)) / own.length,
  };
}

test('a pump that failed twice and is failing still has failed three times', () => {
  const failures: Occurrence[] = [
    {
      id: 1,
      tagId: 7,
      raisedAt: new Date('2026-04-29T06:00:00Z'),
      resetAt: new Date('2026-04-29T06:00:10Z'),
    },
    {
      id: 2,
      tagId: 7,
      raisedAt: new Date('2026-04-29T07:00:00Z'),
      resetAt: new Date('2026-04-29T07:00:05Z'),
    },
    { id: 3, tagId: 7, raisedAt: new Date('2026-04-29T11:59:55Z') },
  ];
  const expected = { failureNumber: 3, failureTotalSeconds: 20, failureMeanSeconds: 6 };
  expect(failureStatistics(failures, noon)).toEqual(new Map([[7, expected]]));
});

test('a plant without failures has no statistics', () => {
  expect(failureStatistics([], noon)).toEqual(new Map());
});

test('statistics equal a simple count, for every tag that failed and no other', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const statistics = failureStatistics(history, noon);
      expect(new Set(statistics.keys())).toEqual(new Set(history.map(({ tagId }) => tagId)));
      for (const [tagId, statistic] of statistics) expect(statistic).toEqual(naiveStatistic(history, tagId));
    }),
    { numRuns: 500 },
  );
});

test('failures counted month by month add up to the failures of the year', () => {
  fc.assert(
    fc.property(histories, histories, (one, other) => {
      const apart = mergeTallies(tallyFailures(one, noon), tallyFailures(other, noon), mergeDurations);
      expect(apart).toEqual(tallyFailures([...one, ...other], noon));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['42', 42],
  ['0042', 42],
  ['0', 0],
  ['4294967295', 4_294_967_295],
  ['4294967296', 0],
  ['', 0],
  ['-1', 0],
  ['4.2', 0],
  ['1e3', 0],
  [' 42', 0],
  ['42\n', 0],
  ['٤٢', 0],
  ['Pump 42', 0],
])('a tag with the short message %j has the code %i', (shortMessage, code) => {
  expect(codeOf(shortMessage)).toBe(code);
});
