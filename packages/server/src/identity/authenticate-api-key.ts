import { timingSafeEqual } from 'node:crypto';
import { addSeconds } from '@tocsin/domain';
import { permissionsOf } from '../http/permissions.ts';
import type { Principal } from '../http/principal.ts';
import { inTenant, readTenant } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { type ApiKeyRow, findApiKeySecret, noteApiKeyUse } from './api-key.store.ts';
import { readApiKey } from './api-key.ts';
import type { BriefCache } from './brief-cache.ts';
import type { Refused } from './refused.ts';
import { sha256 } from './secret.ts';
import { stationScope } from './user-principal.ts';

/** A key as it was a moment ago. `lastUsedAt` moves on with its use. */
export type KnownApiKey = {
  readonly secretHash: Buffer;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** Whether the user whom it belongs to is gone or disabled. */
  readonly hasLostOwner: boolean;
  readonly principal: Principal;
  lastUsedAt: Date | null;
};

/** Its use is noted once a minute, not at every alarm it brings. */
const noteUseSeconds = 60;

export async function authenticateApiKey(
  { database, log }: Runtime,
  recent: BriefCache<KnownApiKey | undefined>,
  { token, now }: { token: string; now: Date },
): Promise<Principal | Refused> {
  const parts = readApiKey(token);
  if (!parts) return { refused: 'the API key is mistyped' };
  const { tenantId, id, secret } = parts;
  const key = await recent(`${tenantId}:${id}`, () =>
    readTenant(database, tenantId, async (transaction) => {
      const row = await findApiKeySecret(transaction, id);
      return row && { ...row, principal: keyPrincipal(tenantId, row) };
    }),
  );
  if (!key || !timingSafeEqual(sha256(secret), key.secretHash))
    return { refused: 'there is no such API key' };
  if (key.revokedAt) return { refused: 'the API key was revoked' };
  if (key.hasLostOwner) return { refused: 'the owner of the API key is disabled or deleted' };
  if (key.expiresAt && key.expiresAt <= now) return { refused: 'the API key has expired' };

  if (!key.lastUsedAt || key.lastUsedAt <= addSeconds(now, -noteUseSeconds)) {
    key.lastUsedAt = now;
    // A machine's alarm must not be lost over a note.
    await inTenant(database, tenantId, (transaction) => noteApiKeyUse(transaction, id, noteUseSeconds)).catch(
      (error: unknown) => log.warn({ err: error, tenantId, keyId: id }, 'use of an API key not noted'),
    );
  }
  return key.principal;
}

function keyPrincipal(
  tenantId: number,
  { id, name, role, scopes, stationIds, expiresAt, ...row }: ApiKeyRow,
): Principal {
  const { dataServerIds, pathPrefixes, tagsOfKeyId, ownerId } = row;
  const isBound = dataServerIds.length + pathPrefixes.length > 0;
  const granted = permissionsOf[role].filter((permission) => scopes?.includes(permission) ?? true);
  return {
    tenantId,
    subject: keySubject(id),
    userId: undefined,
    name,
    role,
    permissions: new Set(granted),
    stationIds: stationScope(stationIds),
    sessionId: undefined,
    expiresAt: expiresAt ?? undefined,
    binding: isBound ? { dataServerIds, pathPrefixes } : undefined,
    tagOwner: tagsOfKeyId === null ? undefined : keySubject(tagsOfKeyId),
    ownerId: ownerId ?? undefined,
  };
}

function keySubject(id: number): string {
  return `key:${id}`;
}
