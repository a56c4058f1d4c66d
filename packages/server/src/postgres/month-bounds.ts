/**
 * The month (UTC) of a time, as `2026-11`. Histories and the journal are partitioned by it.
 *
 * A prepared statement that writes names its month as a constant: then PostgreSQL plans and locks one partition. With the
 * time as a parameter it skips the other partitions too, but only after it has locked all of them.
 */
function monthOf(at: Date): string {
  return at.toISOString().slice(0, -'-ddThh:mm:ss.mmmZ'.length);
}

/** The condition that the column is within the month. */
export function withinMonth(column: string, month: string): string {
  const first = new Date(`${month}-01T00:00:00Z`);
  const next = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1));
  return `${column} >= '${first.toISOString()}' and ${column} < '${next.toISOString()}'`;
}

/** The rows by the month of a time, in the order in which the months occur. */
export function groupByMonth<Row>(rows: readonly Row[], timeOf: (row: Row) => Date): Map<string, Row[]> {
  return Map.groupBy(rows, (row) => monthOf(timeOf(row)));
}
