import { createHmac } from 'node:crypto';
import { installationSecret } from '../../identity/tokens/installation-secrets.ts';
import { newSecret } from '../../identity/tokens/secret.ts';
import type { Runtime } from '../../postgres/runtime.ts';

export type HashBadge = (tenantId: number, badge: string) => Promise<Buffer>;

/** Hashes badges with a key that is not in the database in clear. The key is read once. */
export function createBadgeHash(runtime: Pick<Runtime, 'database' | 'box'>): HashBadge {
  let key: Promise<string> | undefined;
  return async (tenantId, badge) => {
    key ??= installationSecret(runtime, 'badges', newSecret()).catch((error: unknown) => {
      // The next badge tries again.
      key = undefined;
      throw error;
    });
    return createHmac('sha256', await key)
      .update(`${tenantId}:${badge.trim()}`)
      .digest();
  };
}
