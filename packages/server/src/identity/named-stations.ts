import { invalid } from '../problem.ts';

/**
 * The stations that a request gives a user or key; an empty list stands for all of them. `before` is what a changed
 * user has: it stays when the request names no stations, and is widened to all stations only by an explicit 0.
 */
export function namedStations(
  given: readonly number[] | undefined,
  before: readonly number[] = [],
): number[] {
  if (given === undefined) return [...before];
  if (given.length === 0 && before.length > 0)
    throw invalid('/stationIds', 'must name at least one station, or be [0] for all stations');
  if (!given.includes(0)) return [...new Set(given)];
  if (given.some((id) => id !== 0))
    throw invalid('/stationIds', 'must not name other stations beside 0, which means all of them');
  return [];
}
