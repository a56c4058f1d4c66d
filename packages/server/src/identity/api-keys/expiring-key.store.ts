import { addSeconds } from '@tocsin/domain';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

export type ExpiringKey = { id: number; name: string; expiresAt: Date };

/** The keys that were used in the last `seconds` and expire within the next `seconds`, or have expired. */
export async function listExpiringKeys(
  transaction: TenantTransaction,
  seconds: number,
): Promise<ExpiringKey[]> {
  const { tenantId, now } = transaction;
  return transaction
    .selectFrom('apiKeys')
    .select(['id', 'name', 'expiresAt'])
    .where('tenantId', '=', tenantId)
    .where('revokedAt', 'is', null)
    .where('lastUsedAt', '>', addSeconds(now, -seconds))
    .where('expiresAt', '<=', addSeconds(now, seconds))
    .orderBy('id')
    .$narrowType<{ expiresAt: Date }>()
    .execute();
}
