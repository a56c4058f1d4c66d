import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

export async function insertSignIn(
  transaction: TenantTransaction,
  signIn: { stateHash: Buffer; cookieHash: Buffer; issuerId: number },
): Promise<void> {
  const { tenantId, now } = transaction;
  await transaction
    .insertInto('signIns')
    .values({ tenantId, createdAt: now, ...signIn })
    .execute();
}

/** Finds a sign-in of this browser and ends it, so that it is used once. Undefined if it began before `since`. */
export async function takeSignIn(
  transaction: TenantTransaction,
  { stateHash, cookieHash, since }: { stateHash: Buffer; cookieHash: Buffer; since: Date },
): Promise<{ issuerId: number } | undefined> {
  const taken = await transaction
    .deleteFrom('signIns')
    .where('tenantId', '=', transaction.tenantId)
    .where('stateHash', '=', stateHash)
    .where('cookieHash', '=', cookieHash)
    .returning(['issuerId', 'createdAt'])
    .executeTakeFirst();
  return taken && taken.createdAt > since ? { issuerId: taken.issuerId } : undefined;
}

export async function deleteOldSignIns(transaction: TenantTransaction, before: Date): Promise<void> {
  await transaction
    .deleteFrom('signIns')
    .where('tenantId', '=', transaction.tenantId)
    .where('createdAt', '<=', before)
    .execute();
}
