import type { SecretBox } from '../../common/secret-box.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { listSealedIssuers, updateIssuerSecret } from './issuer.store.ts';
import { placeOfIssuer } from './issuer.wire.ts';

/** Seals the secrets of a tenant's issuers again with the first key of the box, and returns their number. */
export async function resealIssuers(transaction: TenantTransaction, box: SecretBox): Promise<number> {
  const issuers = await listSealedIssuers(transaction);
  for (const { id, clientSecret } of issuers) {
    const place = placeOfIssuer(transaction.tenantId, id);
    const text = box.open(clientSecret, place);
    if (text === undefined) throw new Error(`no key opens ${place}`);
    await updateIssuerSecret(transaction, id, box.seal(text, place));
  }
  return issuers.length;
}
