/** The exponent of Zipf's law over tenants, for the server and for pgbench: the largest of 5,000 sends a sixth of all alarms. */
export const zipfExponent = 1.1;

/** Numbers from 0 to `count - 1`, the first one most often: of two, the one with twice the rank comes half as often or less. */
export function zipfian(count: number, random: () => number): () => number {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let index = 0; index < count; index++) {
    sum += (index + 1) ** -zipfExponent;
    sums[index] = sum;
  }
  return () => firstAbove(sums, random() * sum);
}

function firstAbove(sums: Float64Array, value: number): number {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
