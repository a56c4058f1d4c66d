/** How many durations were added up, and to what: two sums can be merged, two means cannot. */
export type DurationSum = { count: number; totalSeconds: number };

export const noDurations: DurationSum = { count: 0, totalSeconds: 0 };

/** A duration that is absent does not count. */
export function addDuration(sum: DurationSum, seconds: number | undefined): DurationSum {
  return seconds === undefined ? sum : mergeDurations(sum, { count: 1, totalSeconds: seconds });
}

export function mergeDurations(left: DurationSum, right: DurationSum): DurationSum {
  return { count: left.count + right.count, totalSeconds: left.totalSeconds + right.totalSeconds };
}

/** Whole seconds, rounded down; 0 when nothing was added. */
export function meanSeconds({ count, totalSeconds }: DurationSum): number {
  return count === 0 ? 0 : Math.floor(totalSeconds / count);
}
