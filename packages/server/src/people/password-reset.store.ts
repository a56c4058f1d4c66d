import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type PasswordResetRow = { codeHash: Buffer; failures: number; expiresAt: Date };

/** Replaces the code of the user, if there is one. */
export async function savePasswordReset(
  transaction: TenantTransaction,
  { userId, codeHash, expiresAt }: { userId: number; codeHash: Buffer; expiresAt: Date },
): Promise<void> {
  const { tenantId, now: createdAt } = transaction;
  const row = { codeHash, failures: 0, createdAt, expiresAt };
  await transaction
    .insertInto('passwordResets')
    .values({ tenantId, userId, ...row })
    .onConflict((conflict) => conflict.columns(['tenantId', 'userId']).doUpdateSet(row))
    .execute();
}

/** Locks the code until the transaction ends, so that concurrent tries are all counted. */
export function lockPasswordReset(
  transaction: TenantTransaction,
  userId: number,
): Promise<PasswordResetRow | undefined> {
  return transaction
    .selectFrom('passwordResets')
    .select(['codeHash', 'failures', 'expiresAt'])
    .where('tenantId', '=', transaction.tenantId)
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

export async function countWrongReset(transaction: TenantTransaction, userId: number): Promise<void> {
  await transaction
    .updateTable('passwordResets')
    .set(({ eb }) => ({ failures: eb('failures', '+', 1) }))
    .where('tenantId', '=', transaction.tenantId)
    .where('userId', '=', userId)
    .execute();
}

export async function deletePasswordReset(transaction: TenantTransaction, userId: number): Promise<void> {
  await transaction
    .deleteFrom('passwordResets')
    .where('tenantId', '=', transaction.tenantId)
    .where('userId', '=', userId)
    .execute();
}

export async function deleteExpiredResets(transaction: TenantTransaction): Promise<void> {
  await transaction
    .deleteFrom('passwordResets')
    .where('tenantId', '=', transaction.tenantId)
    .where('expiresAt', '<=', transaction.now)
    .execute();
}
