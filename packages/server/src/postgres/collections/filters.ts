import { type RawBuilder, sql } from 'kysely';

/** Whether the row belongs to one of the stations, or to all stations. Undefined stands for every station. */
export function stationInScope(
  column: string,
  stationIds: readonly number[] | undefined,
): RawBuilder<boolean> {
  if (stationIds === undefined) return sql<boolean>`true`;
  const station = sql.ref(column);
  return sql<boolean>`(${station} is null or ${station} = any(${[...stationIds]}::bigint[]))`;
}

/** Whether a user shares one of the stations, or belongs to all stations. Undefined stands for every station. */
export function userInScope(stationIds: readonly number[] | undefined): RawBuilder<boolean> {
  if (stationIds === undefined) return sql<boolean>`true`;
  return sql<boolean>`(station_ids = '{}' or station_ids && ${[...stationIds]}::bigint[])`;
}

/** Whether the column has the value of a filter; true if the filter is not given. */
export function equalsIfGiven(column: string, value: number | string | undefined): RawBuilder<boolean> {
  if (value === undefined) return sql<boolean>`true`;
  return sql<boolean>`${sql.ref(column)} = ${value}`;
}
