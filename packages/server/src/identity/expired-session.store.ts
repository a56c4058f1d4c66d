import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** Of all users of the tenant; refresh tokens go with their session. */
export async function deleteAllExpiredSessions(transaction: TenantTransaction): Promise<void> {
  await transaction
    .deleteFrom('sessions')
    .where('tenantId', '=', transaction.tenantId)
    .where('expiresAt', '<=', transaction.now)
    .execute();
}
