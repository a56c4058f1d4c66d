import type { SecondFactorMethod } from '@tocsin/contract';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { deletePasskeys, listPasskeys } from './passkey.store.ts';
import { countRecoveryCodes, deleteRecoveryCodes } from './recovery-code.store.ts';
import { deleteTotp, totpSince } from './totp.store.ts';

/** How the user can complete a log-in; empty without a second factor. Recovery codes alone are none. */
export async function secondFactorMethods(
  transaction: TenantTransaction,
  userId: number,
): Promise<SecondFactorMethod[]> {
  const hasTotp = (await totpSince(transaction, userId)) !== undefined;
  const hasPasskey = (await listPasskeys(transaction, userId)).length > 0;
  if (!hasTotp && !hasPasskey) return [];
  const hasCodes = (await countRecoveryCodes(transaction, userId)) > 0;
  return [
    ...(hasTotp ? (['totp'] as const) : []),
    ...(hasPasskey ? (['passkey'] as const) : []),
    ...(hasCodes ? (['recovery'] as const) : []),
  ];
}

export async function deleteSecondFactors(transaction: TenantTransaction, userId: number): Promise<void> {
  await deleteTotp(transaction, userId);
  await deletePasskeys(transaction, userId);
  await deleteRecoveryCodes(transaction, userId);
}
