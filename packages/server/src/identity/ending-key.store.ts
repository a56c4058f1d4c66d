import { addSeconds } from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type EndingKey = { id: number; name: string; expiresAt: Date };

/** The keys that were used in the last `seconds` and expire in the next `seconds`, or have expired meanwhile. */
export async function listEndingKeys(transaction: TenantTransaction, seconds: number): Promise<EndingKey[]> {
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
