/** The known name that is most similar to a mistyped one; undefined if none is similar. */
export function closestName(typed: string, known: Iterable<string>): string | undefined {
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    const limit = best?.distance ?? Math.max(2, Math.floor(typed.length / 3)) + 1;
    const distance = editDistance(typed.toLowerCase(), name.toLowerCase(), limit);
    if (distance < limit) best = { name, distance };
  }
  return best?.name;
}

/** ` Did you mean "Pumps"?`, or nothing. */
export function suggestion(typed: string, known: Iterable<string>): string {
  const name = closestName(typed, known);
  return name === undefined ? '' : ` Did you mean "${name}"?`;
}

/** Letters to insert, delete or replace; `limit` or more is answered as `limit`. */
function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) >= limit) return limit;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let line = 1; line <= one.length; line++) {
    const next = [line];
    for (let place = 1; place <= other.length; place++) {
      const replaced = (row[place - 1] ?? 0) + (one[line - 1] === other[place - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[place] ?? 0) + 1, (next[place - 1] ?? 0) + 1));
    }
    row = next;
  }
  return Math.min(limit, row[other.length] ?? limit);
}
