import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type SetUpCode = { codeHash: Buffer; failures: number };

export async function findSetUpCode(transaction: TenantTransaction): Promise<SetUpCode | undefined> {
  return transaction.selectFrom('setUpCodes').select(['codeHash', 'failures']).executeTakeFirst();
}

/** Replaces all set-up codes by this one. */
export async function replaceSetUpCode(transaction: TenantTransaction, codeHash: Buffer): Promise<void> {
  await deleteSetUpCodes(transaction);
  await transaction.insertInto('setUpCodes').values({ codeHash, createdAt: transaction.now }).execute();
}

export async function countSetUpFailure(transaction: TenantTransaction): Promise<void> {
  await transaction
    .updateTable('setUpCodes')
    .set(({ eb }) => ({ failures: eb('failures', '+', 1) }))
    .execute();
}

export async function deleteSetUpCodes(transaction: TenantTransaction): Promise<void> {
  await transaction.deleteFrom('setUpCodes').execute();
}
