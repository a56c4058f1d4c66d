import { type RawBuilder, sql } from 'kysely';

/**
 * Whether the row's station is one of `stationIds`, or the row belongs to all stations. Absent `stationIds` are
 * those of a principal that is bound to none.
 */
export function stationInScope(
  column: string,
  stationIds: readonly number[] | undefined,
): RawBuilder<boolean> {
  if (stationIds === undefined) return sql<boolean>`true`;
  const station = sql.ref(column);
  return sql<boolean>`(${station} is null or ${station} = any(${[...stationIds]}::bigint[]))`;
}

/** Whether a row of `users` is visible to a caller with these stations: users of all stations are, and those who share one. */
export function userInScope(stationIds: readonly number[] | undefined): RawBuilder<boolean> {
  if (stationIds === undefined) return sql<boolean>`true`;
  return sql<boolean>`(station_ids = '{}' or station_ids && ${[...stationIds]}::bigint[])`;
}

/** Whether a column has the wanted id; absent asks for nothing. */
export function idMatches(column: string, wanted: number | undefined): RawBuilder<boolean> {
  if (wanted === undefined) return sql<boolean>`true`;
  return sql<boolean>`${sql.ref(column)} = ${wanted}`;
}
