import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { sha256 } from '../tokens/secret.ts';

/** False if the challenge was answered before. */
export async function useChallenge(
  transaction: TenantTransaction,
  { challenge, expiresAt }: { challenge: string; expiresAt: Date },
): Promise<boolean> {
  const used = await transaction
    .insertInto('usedChallenges')
    .values({ tenantId: transaction.tenantId, hash: sha256(challenge), expiresAt })
    .onConflict((conflict) => conflict.columns(['tenantId', 'hash']).doNothing())
    .returning('expiresAt')
    .executeTakeFirst();
  return used !== undefined;
}

export async function deleteExpiredChallenges(transaction: TenantTransaction): Promise<void> {
  await transaction
    .deleteFrom('usedChallenges')
    .where('tenantId', '=', transaction.tenantId)
    .where('expiresAt', '<=', transaction.now)
    .execute();
}
