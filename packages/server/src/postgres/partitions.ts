import { sql } from 'kysely';
import type { Database } from './database.ts';
import { longStatement } from './long-statement.ts';
import { outsideTenants, type TenantTransaction } from './tenant-transaction.ts';

const monthsAhead = 3;

/**
 * Makes the monthly partitions that are not there yet, well before they are needed. Gives way, with a problem, to
 * whoever is using the tables for long.
 */
export async function makePartitions(database: Database): Promise<void> {
  await outsideTenants(database, async (transaction) => {
    // Whoever writes alarms waits behind it: better that it comes again.
    await sql`set local lock_timeout = '1s'`.execute(transaction);
    await longStatement(transaction, 'select make_partitions($1, $2)', [transaction.now, monthsAhead]);
  });
}

/**
 * Drops the oldest month of occurrences and journal if all of it is more than so many months ago, and tells which it
 * was. Gives way, with a problem, to whoever is using the tables for long.
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

/** From when on the tenant's histories are kept when so many months are: the start of a month that is still there. */
export async function historiesKeptFrom(transaction: TenantTransaction, monthsKept: number): Promise<Date> {
  const keepFrom = sql`${transaction.now}::timestamptz - make_interval(months => ${monthsKept}::integer)`;
  const { rows } = await sql<{ at: Date }>`select histories_kept_from(${keepFrom}) as at`.execute(
    transaction,
  );
  if (!rows[0]) throw new Error('the database did not tell from when on histories are kept');
  return rows[0].at;
}
