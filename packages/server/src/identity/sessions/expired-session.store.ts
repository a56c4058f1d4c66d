import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** Refresh tokens are deleted with their session. */
export async function deleteAllExpiredSessions(transaction: TenantTransaction): Promise<void> {
  await transaction
    .deleteFrom('sessions')
    .where('tenantId', '=', transaction.tenantId)
    .where('expiresAt', '<=', transaction.now)
    .execute();
}
