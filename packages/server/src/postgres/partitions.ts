import { sql } from 'kysely';
import type { Database } from './database.ts';
import { longStatement } from './long-statement.ts';
import { inTenant, outsideTenants, type TenantTransaction } from './tenant-transaction.ts';

const monthsAhead = 3;

/** Creates missing monthly partitions ahead of time. Yields, with a problem, to long transactions on the tables. */
export async function makePartitions(database: Database): Promise<void> {
  await outsideTenants(database, async (transaction) => {
    // Writers of alarms wait behind this lock, so the job gives up early and comes again.
    await sql`set local lock_timeout = '1s'`.execute(transaction);
    await longStatement(transaction, 'select make_partitions($1, $2)', [transaction.now, monthsAhead]);
  });
}

/** The time before which histories are not kept. */
const keepFrom = ({ now }: TenantTransaction, monthsKept: number) =>
  sql<Date>`${now}::timestamptz - make_interval(months => ${monthsKept}::integer)`;

/** The tenants that still have histories of months that are not kept, or sums of them. */
export async function tenantsToRetire(database: Database, monthsKept: number): Promise<number[]> {
  return outsideTenants(database, async (transaction) => {
    const { rows } = await sql<{ id: number }>`
      select tenants_to_retire(retirement_cut(${keepFrom(transaction, monthsKept)})) as id`.execute(
      transaction,
    );
    return rows.map(({ id }) => id);
  });
}

/** Rows of each sum that one transaction deletes: alarms of the tenant wait for it. */
const sweptRows = 2_000;

/** Ends the tenant's histories of months that are not kept, and deletes some of their sums. True if there are more. */
export async function retireMonths(
  database: Database,
  tenantId: number,
  monthsKept: number,
): Promise<boolean> {
  return inTenant(database, tenantId, async (transaction) => {
    const { rows } = await sql<{ more: boolean }>`
      select retire_months(${keepFrom(transaction, monthsKept)}, ${sweptRows}) as more`.execute(transaction);
    return rows[0]?.more === true;
  });
}

/**
 * Drops the oldest month of occurrences and journal if it is not kept and all tenants are past it, and returns that month.
 * Yields, with a problem, to long transactions on the tables.
 */
export async function dropRetiredMonth(database: Database, monthsKept: number): Promise<string | undefined> {
  return outsideTenants(database, async (transaction) => {
    const { rows } = await sql<{ month: string | null }>`
      select drop_retired_month(${keepFrom(transaction, monthsKept)})::text as month`.execute(transaction);
    return rows[0]?.month?.slice(0, 'yyyy-mm'.length);
  });
}

/** The start of the oldest month that the tenant's histories still contain. */
export async function historiesKeptFrom(transaction: TenantTransaction, monthsKept: number): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select histories_kept_from(${keepFrom(transaction, monthsKept)}) as at`.execute(transaction);
  if (!rows[0]) throw new Error('the database returned no start of the histories');
  return rows[0].at;
}
