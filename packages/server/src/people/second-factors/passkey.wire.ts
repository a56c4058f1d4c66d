import type { Passkey } from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import type { PasskeyRow } from '../../identity/second-factors/passkey.store.ts';

export function passkeyToWire({ id, name, createdAt, lastUsedAt }: PasskeyRow): Passkey {
  return {
    id,
    name,
    createTime: formatUtc(createdAt),
    ...(lastUsedAt && { lastUse: formatUtc(lastUsedAt) }),
  };
}
