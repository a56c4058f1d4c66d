import { hashPassword, verifyPassword } from '../../identity/sessions/password.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** Whether the digits are the person's PIN; `none` if they have no PIN. Takes some 20 ms, like the check of a password. */
export async function checkPin(
  transaction: TenantTransaction,
  userId: number,
  given: string,
): Promise<'right' | 'wrong' | 'none'> {
  const hash = await readPinHash(transaction, userId);
  if (hash === null) return 'none';
  return (await verifyPassword(given, hash)) ? 'right' : 'wrong';
}

export async function hasPin(transaction: TenantTransaction, userId: number): Promise<boolean> {
  return (await readPinHash(transaction, userId)) !== null;
}

export async function savePin(transaction: TenantTransaction, userId: number, pin: string): Promise<void> {
  await writePinHash(transaction, userId, await hashPassword(pin));
}

export function deletePin(transaction: TenantTransaction, userId: number): Promise<void> {
  return writePinHash(transaction, userId, null);
}

/** Null if there is no PIN or no such person. */
async function readPinHash(transaction: TenantTransaction, userId: number): Promise<string | null> {
  const user = await transaction
    .selectFrom('users')
    .select('pinHash')
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', userId)
    .executeTakeFirst();
  return user?.pinHash ?? null;
}

/** The version of the user stays: their PIN is no part of what clients read. */
async function writePinHash(
  transaction: TenantTransaction,
  userId: number,
  pinHash: string | null,
): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ pinHash })
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', userId)
    .execute();
}
