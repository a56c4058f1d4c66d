import type { AddressCode, Medium } from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type StoredCode = AddressCode & { id: number };

/** The times of the codes since then, for the limits: those to the address by any medium, and those of the person. */
export async function listSentCodes(
  transaction: TenantTransaction,
  { userId, address }: { userId: number; address: string },
  since: Date,
): Promise<{ toAddress: Date[]; toPerson: Date[] }> {
  const rows = await transaction
    .selectFrom('addressCodes')
    .select(['userId', 'address', 'sentAt'])
    .where('tenantId', '=', transaction.tenantId)
    .where('sentAt', '>', since)
    .where((row) => row.or([row('userId', '=', userId), row('address', '=', address)]))
    .execute();
  return {
    toAddress: rows.filter((row) => row.address === address).map(({ sentAt }) => sentAt),
    toPerson: rows.filter((row) => row.userId === userId).map(({ sentAt }) => sentAt),
  };
}

/** Stores that a code is sent, and returns its id. The codes that were sent to the address before are no longer valid. */
export async function insertCode(
  transaction: TenantTransaction,
  userId: number,
  { kind, address }: Medium,
): Promise<number> {
  const { tenantId, now } = transaction;
  const { id } = await transaction
    .insertInto('addressCodes')
    .values({ tenantId, userId, kind, address, sentAt: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Finds and locks the last code that was sent to the address of the person. */
export async function lockLastCode(
  transaction: TenantTransaction,
  userId: number,
  { kind, address }: Medium,
): Promise<StoredCode | undefined> {
  return transaction
    .selectFrom('addressCodes')
    .select(['id', 'sentAt', 'wrongTries', 'usedAt'])
    .where('tenantId', '=', transaction.tenantId)
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .where('address', '=', address)
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
}

export async function countWrongTry(transaction: TenantTransaction, id: number): Promise<void> {
  await transaction
    .updateTable('addressCodes')
    .set(({ eb }) => ({ wrongTries: eb('wrongTries', '+', 1) }))
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

export async function markCodeUsed(transaction: TenantTransaction, id: number): Promise<void> {
  await transaction
    .updateTable('addressCodes')
    .set({ usedAt: transaction.now })
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

export async function deleteOldCodes(transaction: TenantTransaction, before: Date): Promise<void> {
  await transaction
    .deleteFrom('addressCodes')
    .where('tenantId', '=', transaction.tenantId)
    .where('sentAt', '<', before)
    .execute();
}
