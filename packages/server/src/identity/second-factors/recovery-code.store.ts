import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-code.ts';

export async function countRecoveryCodes(transaction: TenantTransaction, userId: number): Promise<number> {
  const { left } = await transaction
    .selectFrom('recoveryCodes')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('tenantId', '=', transaction.tenantId)
    .where('userId', '=', userId)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return left;
}

/** Replaces all recovery codes of the user, and returns the new ones: only their hashes are stored. */
export async function replaceRecoveryCodes(
  transaction: TenantTransaction,
  userId: number,
): Promise<string[]> {
  const { tenantId } = transaction;
  const codes = newRecoveryCodes();
  await deleteRecoveryCodes(transaction, userId);
  await transaction
    .insertInto('recoveryCodes')
    .values(codes.map((code) => ({ tenantId, userId, hash: hashRecoveryCode(code) })))
    .execute();
  return codes;
}

/** Whether the code is one of the user's that was not used. It is used now. */
export async function useRecoveryCode(
  transaction: TenantTransaction,
  { userId, code }: { userId: number; code: string },
): Promise<boolean> {
  const used = await transaction
    .updateTable('recoveryCodes')
    .set({ usedAt: transaction.now })
    .where('tenantId', '=', transaction.tenantId)
    .where('userId', '=', userId)
    .where('hash', '=', hashRecoveryCode(code))
    .where('usedAt', 'is', null)
    .returning('userId')
    .executeTakeFirst();
  return used !== undefined;
}

export async function deleteRecoveryCodes(transaction: TenantTransaction, userId: number): Promise<void> {
  await transaction
    .deleteFrom('recoveryCodes')
    .where('tenantId', '=', transaction.tenantId)
    .where('userId', '=', userId)
    .execute();
}
