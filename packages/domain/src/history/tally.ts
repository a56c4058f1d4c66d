/** Sums by identifier. Merged tallies of parts equal the tally of the whole. */
export type Tally<Sums> = Map<number, Sums>;

export function mergeTallies<Sums>(
  left: ReadonlyMap<number, Sums>,
  right: ReadonlyMap<number, Sums>,
  merge: (left: Sums, right: Sums) => Sums,
): Tally<Sums> {
  const merged = new Map(left);
  for (const [id, sums] of right) {
    const former = merged.get(id);
    merged.set(id, former === undefined ? sums : merge(former, sums));
  }
  return merged;
}

export function mapTally<Sums, Row>(
  tally: ReadonlyMap<number, Sums>,
  rowOf: (sums: Sums) => Row,
): Map<number, Row> {
  return new Map(tally.entries().map(([id, sums]) => [id, rowOf(sums)]));
}
