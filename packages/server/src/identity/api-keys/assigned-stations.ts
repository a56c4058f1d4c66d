import { invalid } from '../../common/problem.ts';

/**
 * The stations that a request assigns to a user or key; an empty result means all stations. A user's stations `before`
 * stay if the request leaves them out, and become all stations only by an explicit 0.
 */
export function assignedStations(
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
