import type { SecretBox } from '../../common/secret-box.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { findDirectory, updateBindPassword } from './directory.store.ts';
import { openBindPassword, placeOfDirectory } from './directory.wire.ts';

/** Seals the password of a tenant's directory again with the first key of the box, and returns the number of secrets. */
export async function resealDirectory(transaction: TenantTransaction, box: SecretBox): Promise<number> {
  const { tenantId } = transaction;
  const row = await findDirectory(transaction, { forUpdate: true });
  if (!row || row.bindPassword === null) return 0;
  const text = openBindPassword(row, { box, tenantId });
  await updateBindPassword(transaction, box.seal(text, placeOfDirectory(tenantId)));
  return 1;
}
