import type { SecretBox } from '../common/secret-box.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { listSealedChannels, updateChannelSecrets } from './channel.store.ts';
import { placeOfChannel } from './channel.wire.ts';

/** Seals the secrets of a tenant's channels again with the first key of the box, and returns their number. */
export async function resealChannels(transaction: TenantTransaction, box: SecretBox): Promise<number> {
  const channels = await listSealedChannels(transaction);
  for (const { id, secrets } of channels) {
    const place = placeOfChannel(transaction.tenantId, id);
    const text = box.open(secrets, place);
    if (text === undefined) throw new Error(`no key opens ${place}`);
    await updateChannelSecrets(transaction, id, box.seal(text, place));
  }
  return channels.length;
}
