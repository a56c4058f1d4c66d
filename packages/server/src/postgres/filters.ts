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

/** Whether a column that may be null has the wanted id: 0 asks for null, absent asks for nothing. */
export function idMatches(column: string, wanted: number | undefined): RawBuilder<boolean> {
  if (wanted === undefined) return sql<boolean>`true`;
  const id = sql.ref(column);
  return wanted === 0 ? sql<boolean>`${id} is null` : sql<boolean>`${id} = ${wanted}`;
}
