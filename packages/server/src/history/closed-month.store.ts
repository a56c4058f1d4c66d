import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** Builds the sums of the oldest month that is not closed and ended before this time. False if there is none. */
export async function closeMonth(transaction: TenantTransaction, until: Date): Promise<boolean> {
  const { rows } = await sql<{ closed: boolean }>`select close_month(month_of(${until})) as closed`.execute(
    transaction,
  );
  return rows[0]?.closed === true;
}
