const hourMs = 3_600_000;
const hours = 24;

export type Hour = { readonly start: number; readonly count: number };

/** The beginning of the first of the 24 hours that end with the present one. */
export const firstHour = (now: number): number => (Math.floor(now / hourMs) - hours + 1) * hourMs;

/** How many alarms were raised in each of these hours. */
export function perHour(times: readonly number[], now: number): readonly Hour[] {
  const first = firstHour(now);
  const counts = Array.from({ length: hours }, () => 0);
  for (const time of times) {
    const index = Math.floor((time - first) / hourMs);
    const before = counts[index];
    if (before !== undefined) counts[index] = before + 1;
  }
  return counts.map((count, index) => ({ start: first + index * hourMs, count }));
}

/** The upper end of an axis: 10, 20 or 50 times a power of ten, never less than 10, so that two alarms look like few. */
export function axisEnd(peak: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(peak, 10)));
  return [1, 2, 5, 10].map((step) => step * power).find((end) => end >= peak) ?? peak;
}
