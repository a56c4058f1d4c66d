import { sql } from 'kysely';
import type { Database } from './database.ts';
import { longStatement } from './long-statement.ts';
import { outsideTenants, type TenantTransaction } from './tenant-transaction.ts';

const monthsAhead = 3;

/** Creates missing monthly partitions ahead of time. Yields, with a problem, to long transactions on the tables. */
export async function makePartitions(database: Database): Promise<void> {
  await outsideTenants(database, async (transaction) => {
    // Writers of alarms wait behind this lock, so the job gives up early and comes again.
    await sql`set local lock_timeout = '1s'`.execute(transaction);
    await longStatement(transaction, 'select make_partitions($1, $2)', [transaction.now, monthsAhead]);
  });
}

/**
 * Drops the oldest month of occurrences and journal if it ended more than `monthsKept` months ago, and returns that
 * month. Yields, with a problem, to long transactions on the tables.
 */
export async function dropOldestMonth(database: Database, monthsKept: number): Promise<string | undefined> {
  return outsideTenants(database, async (transaction) => {
    const [row] = await longStatement<{ month: string | null }>(
      transaction,
      'select drop_old_partitions($1::timestamptz - make_interval(months => $2::integer)) as month',
      [transaction.now, monthsKept],
    );
    return row?.month?.slice(0, 'yyyy-mm'.length);
  });
}

/** The start of the oldest month of which the tenant's histories are still there. */
export async function historiesKeptFrom(transaction: TenantTransaction, monthsKept: number): Promise<Date> {
  const keepFrom = sql`${transaction.now}::timestamptz - make_interval(months => ${monthsKept}::integer)`;
  const { rows } = await sql<{ at: Date }>`select histories_kept_from(${keepFrom}) as at`.execute(
    transaction,
  );
  if (!rows[0]) throw new Error('the database returned no start of the histories');
  return rows[0].at;
}
