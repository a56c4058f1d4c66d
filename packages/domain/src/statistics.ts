import { wholeSecondsBetween } from './duration.ts';
import { addDuration, type DurationSum, meanSeconds, noDurations } from './duration-sum.ts';
import type { Occurrence } from './occurrence.ts';
import { mapTally, type Tally } from './tally.ts';

export type FailureStatistic = {
  failureNumber: number;
  failureTotalSeconds: number;
  failureMeanSeconds: number;
};

const maximumCode = 0xffff_ffff;

/** One row per tag id that has occurrences; one still active counts up to `until`. */
export function foldStatistics(
  occurrences: Iterable<Occurrence>,
  until: Date,
): Map<number, FailureStatistic> {
  return mapTally(tallyFailures(occurrences, until), failureStatisticOf);
}

/** The sums behind the statistics, by tag id: parts merge with `mergeDurations`. */
export function tallyFailures(occurrences: Iterable<Occurrence>, until: Date): Tally<DurationSum> {
  const failures: Tally<DurationSum> = new Map();
  for (const { tagId, raisedAt, resetAt = until } of occurrences) {
    // Clocks of sources differ: an end before the start is still a failure, of no length.
    const seconds = wholeSecondsBetween(raisedAt, resetAt) ?? 0;
    failures.set(tagId, addDuration(failures.get(tagId) ?? noDurations, seconds));
  }
  return failures;
}

export function failureStatisticOf(failures: DurationSum): FailureStatistic {
  return {
    failureNumber: failures.count,
    failureTotalSeconds: failures.totalSeconds,
    failureMeanSeconds: meanSeconds(failures),
  };
}

/** A tag's code is its short message when that is a whole number of 32 bits, else 0. */
export function codeOf(shortMessage: string): number {
  if (!/^\d+$/.test(shortMessage)) return 0;
  const code = Number(shortMessage);
  return code <= maximumCode ? code : 0;
}
