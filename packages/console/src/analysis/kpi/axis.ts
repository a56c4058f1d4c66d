/** The numbers of an axis from 0 to at least the highest value: four or five of them, at round distances. */
export function axisSteps(highest: number): number[] {
  const least = Math.max(1, highest) / 5;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= least) ?? 1,
  );
  return Array.from({ length: Math.ceil(Math.max(1, highest) / step) + 1 }, (_, index) => index * step);
}

/** The limits of the six greys of a heat map: the highest numbers of all but the last. */
export function heatSteps(highest: number): number[] {
  const shares = [0.08, 0.18, 0.32, 0.52, 0.75];
  const steps = shares.map((share, index) => Math.max(index, Math.floor(highest * share)));
  return steps.map((step, index) => Math.max(step, (steps[index - 1] ?? -1) + 1));
}

export function heatLevel(value: number, steps: readonly number[]): number {
  const level = steps.findIndex((step) => value <= step);
  return level === -1 ? steps.length : level;
}
