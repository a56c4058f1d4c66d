import { sql } from 'kysely';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

/**
 * Saves the badge of a user, or takes it away; false if somebody else has it. The caller has locked the users, so that two
 * of them cannot get the same badge at once. The version of the user stays: the badge is no part of what clients read.
 */
export async function saveBadge(
  transaction: TenantTransaction,
  userId: number,
  badgeHash: Buffer | null,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set({ badgeHash })
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', userId)
    .where(
      sql<boolean>`not exists (select from users o where o.tenant_id = users.tenant_id and o.id <> users.id
        and o.badge_hash = ${badgeHash}::bytea)`,
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
