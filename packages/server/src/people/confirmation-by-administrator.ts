import type { Confirmation } from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { readTenantSettings } from './tenant.store.ts';

/** The confirmation of an address that an administrator writes; undefined in a tenant where it needs a code. */
export async function confirmationByAdministrator(
  transaction: TenantTransaction,
): Promise<Confirmation | undefined> {
  const { confirmAddresses } = await readTenantSettings(transaction);
  return confirmAddresses ? undefined : { by: 'administrator', at: transaction.now };
}
