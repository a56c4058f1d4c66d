import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** The first month that is not in the sums of closed months; 0 if none is. */
export async function readFirstOpenMonth(transaction: TenantTransaction): Promise<number> {
  const row = await transaction
    .selectFrom('closedMonths')
    .select('firstOpen')
    .where('tenantId', '=', transaction.tenantId)
    .executeTakeFirst();
  return row?.firstOpen ?? 0;
}

/** Builds the sums of the oldest month that is not closed and ended before this time. False if there is none. */
export async function closeMonth(transaction: TenantTransaction, until: Date): Promise<boolean> {
  const { rows } = await sql<{ closed: boolean }>`select close_month(month_of(${until})) as closed`.execute(
    transaction,
  );
  return rows[0]?.closed === true;
}
