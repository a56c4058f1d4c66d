/** Count and total of durations. Unlike means, sums can be merged. */
export type DurationSum = { count: number; totalSeconds: number };

export const noDurations: DurationSum = { count: 0, totalSeconds: 0 };

/** An absent duration does not count. */
export function addDuration(sum: DurationSum, seconds: number | undefined): DurationSum {
  return seconds === undefined ? sum : mergeDurations(sum, { count: 1, totalSeconds: seconds });
}

export function mergeDurations(left: DurationSum, right: DurationSum): DurationSum {
  return { count: left.count + right.count, totalSeconds: left.totalSeconds + right.totalSeconds };
}

/** Whole seconds, rounded down; 0 without durations. */
export function meanSeconds({ count, totalSeconds }: DurationSum): number {
  return count === 0 ? 0 : Math.floor(totalSeconds / count);
}
