import { wholeSecondsBetween } from '../time/duration.ts';
import { addDuration, type DurationSum, meanSeconds, noDurations } from '../time/duration-sum.ts';
import type { Occurrence } from './occurrence.ts';
import { mapTally, type Tally } from './tally.ts';

export type FailureStatistic = {
  failureNumber: number;
  failureTotalSeconds: number;
  failureMeanSeconds: number;
};

const maxCode = 0xffff_ffff;

/** By id of a tag with occurrences. An occurrence that is still active counts up to `until`. */
export function failureStatistics(
  occurrences: Iterable<Occurrence>,
  until: Date,
): Map<number, FailureStatistic> {
  return mapTally(tallyFailures(occurrences, until), failureStatisticOf);
}

/** Sums by tag id. Those of several periods are merged with `mergeDurations`. */
export function tallyFailures(occurrences: Iterable<Occurrence>, until: Date): Tally<DurationSum> {
  const failures: Tally<DurationSum> = new Map();
  for (const { tagId, raisedAt, resetAt = until } of occurrences) {
    // The clocks of sources differ: an end before the start is a failure of zero length.
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

/** The code of a tag is its short message if that is an unsigned 32-bit integer, else 0. */
export function codeOf(shortMessage: string): number {
  if (!/^\d+$/.test(shortMessage)) return 0;
  const code = Number(shortMessage);
  return code <= maxCode ? code : 0;
}
