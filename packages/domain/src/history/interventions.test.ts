import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { occurrences } from '../testing/occurrences.ts';
import { interventionStatistics, mergeInterventions, tallyInterventions } from './interventions.ts';
import type { Occurrence } from './occurrence.ts';
import { mergeTallies } from './tally.ts';

const histories = fc.array(occurrences, { maxLength: 20 });

const shownSecond = (instant: Date) => Math.floor(instant.getTime() / 1000);

function naiveMean(periods: readonly (readonly [start: Date | undefined, end: Date | undefined])[]): number {
  const lengths = periods.flatMap(([start, end]) =>
    start && end && end.getTime() >= start.getTime() ? [shownSecond(end) - shownSecond(start)] : [],
  );
  const total = lengths.reduce((sum, length) => sum + length, 0);
  return lengths.length === 0 ? 0 : Math.floor(total / lengths.length);
}

function naiveStatistic(history: readonly Occurrence[], user: number) {
  const own = history.filter(({ acknowledgedBy }) => acknowledgedBy === user);
  return {
    interventionNumber: own.length,
    reactionMeanSeconds: naiveMean(own.map(({ raisedAt, acknowledgedAt }) => [raisedAt, acknowledgedAt])),
    interventionMeanSeconds: naiveMean(own.map(({ acknowledgedAt, resetAt }) => [acknowledgedAt, resetAt])),
  };
}

test('an alarm still being worked on counts as an intervention, but not in its mean time', () => {
  const raisedAt = new Date('2026-04-29T06:00:00Z');
  const acknowledgedAt = new Date('2026-04-29T06:00:31Z');
  const soonAcknowledgedAt = new Date('2026-04-29T06:00:10Z');
  const resetAt = new Date('2026-04-29T06:10:31Z');
  const statistics = interventionStatistics([
    { id: 1, tagId: 7, raisedAt, acknowledgedAt, acknowledgedBy: 3, resetAt },
    { id: 2, tagId: 8, raisedAt, acknowledgedAt: soonAcknowledgedAt, acknowledgedBy: 3 },
    { id: 3, tagId: 9, raisedAt, resetAt },
  ]);
  const expected = { interventionNumber: 2, reactionMeanSeconds: 20, interventionMeanSeconds: 600 };
  expect(statistics).toEqual(new Map([[3, expected]]));
});

test('interventions equal a simple count, for every user who acknowledged and no other', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const statistics = interventionStatistics(history);
      const users = history.flatMap(({ acknowledgedBy }) => acknowledgedBy ?? []);
      expect(new Set(statistics.keys())).toEqual(new Set(users));
      for (const [user, statistic] of statistics) expect(statistic).toEqual(naiveStatistic(history, user));
    }),
    { numRuns: 500 },
  );
});

test('interventions counted month by month add up to the interventions of the year', () => {
  fc.assert(
    fc.property(histories, histories, (one, other) => {
      const apart = mergeTallies(tallyInterventions(one), tallyInterventions(other), mergeInterventions);
      expect(apart).toEqual(tallyInterventions([...one, ...other]));
    }),
    { numRuns: 500 },
  );
});
