import { sql } from 'kysely';
import type { Database } from './database.ts';
import { outsideTenants } from './tenant-transaction.ts';

const monthsAhead = 3;

/** Makes the monthly partitions that are not there yet, well before they are needed. */
export async function makePartitions(database: Database): Promise<void> {
  await outsideTenants(database, (transaction) =>
    sql`select make_partitions(${transaction.now}, ${monthsAhead})`.execute(transaction),
  );
}
