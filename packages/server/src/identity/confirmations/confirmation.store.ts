import { sql } from 'kysely';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

export type Confirmation = { confirmedAt: Date; hasSecondFactor: boolean };

/** The last proof of the user in a session, which is at first the log-in. */
export function findConfirmation(
  transaction: TenantTransaction,
  sessionId: string,
): Promise<Confirmation | undefined> {
  return transaction
    .selectFrom('sessions')
    .select([
      sql<Date>`coalesce(confirmed_at, created_at)`.as('confirmedAt'),
      sql<boolean>`has_second_factor(tenant_id, user_id)`.as('hasSecondFactor'),
    ])
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', sessionId)
    .executeTakeFirst();
}

export async function confirmSession(transaction: TenantTransaction, sessionId: string): Promise<void> {
  await transaction
    .updateTable('sessions')
    .set({ confirmedAt: transaction.now })
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', sessionId)
    .execute();
}
