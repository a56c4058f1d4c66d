export const sorted = (values: readonly number[]) => Float64Array.from(values).toSorted();

/** The value that a share of the sorted values does not pass; 0 when there is none. */
export const quantile = (values: Float64Array, share: number) =>
  values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
