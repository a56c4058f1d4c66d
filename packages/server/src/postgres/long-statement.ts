import type { QueryResultRow } from 'pg';
import type { TenantTransaction } from './tenant-transaction.ts';

/** Limit for upkeep of large tables, for which no client waits. */
const maxDurationMs = 30 * 60_000;

/** Runs one statement with a longer timeout, which stays in force for the rest of the transaction. */
export async function longStatement<Row extends QueryResultRow>(
  { client }: Pick<TenantTransaction, 'client'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  await client.query(`set local statement_timeout = ${maxDurationMs}`);
  // The driver has a timeout per statement, which its types do not declare.
  const statement = { text, values: [...values], query_timeout: maxDurationMs };
  const { rows } = await client.query<Row>(statement);
  return rows;
}
