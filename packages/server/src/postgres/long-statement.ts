import type { QueryResultRow } from 'pg';
import type { TenantTransaction } from './tenant-transaction.ts';

/** Upkeep of large tables may take so long; nobody waits for it. */
const longestMs = 30 * 60_000;

/** Runs one statement that may take longer than requests may, for the rest of the transaction. */
export async function longStatement<Row extends QueryResultRow>(
  { client }: Pick<TenantTransaction, 'client'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  await client.query(`set local statement_timeout = ${longestMs}`);
  // The client has a limit of its own, which its types do not tell of.
  const statement = { text, values: [...values], query_timeout: longestMs };
  const { rows } = await client.query<Row>(statement);
  return rows;
}
