import { timingSafeEqual } from 'node:crypto';
import { addSeconds } from '@tocsin/domain';
import { permissionsOf } from '../http/permissions.ts';
import type { Principal } from '../http/principal.ts';
import { coalesceTenants } from '../postgres/coalesce-tenants.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { type ApiKeySecret, findApiKeySecret, recordApiKeyUse } from './api-keys/api-key.store.ts';
import { readApiKey } from './api-keys/api-key.ts';
import { sha256 } from './tokens/secret.ts';
import type { ShortLivedCache } from './tokens/short-lived-cache.ts';
import type { TokenRejection } from './tokens/token-rejection.ts';
import { stationScope } from './user-principal.ts';

/** A key as it was at its last read. `lastUsedAt` changes with its use. */
export type CachedApiKey = {
  readonly secretHash: Buffer;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** Whether its owner is disabled or deleted. */
  readonly isOwnerInactive: boolean;
  readonly principal: Principal;
  lastUsedAt: Date | null;
};

/** The use of a key is recorded once a minute, not with each alarm. */
const recordUseSeconds = 60;
/** Uses that follow within this time are written together. */
const pauseMs = 1_000;

type KeyPlace = { readonly tenantId: number; readonly id: number };

export type StoredApiKeys = {
  read(place: KeyPlace): Promise<CachedApiKey | undefined>;
  /** Records soon that a key was used, at most once a minute. No request waits for it, nor fails with it. */
  recordUse(place: KeyPlace): void;
};

/** In a storm of many tenants most requests are the first of their key in seconds, so that they share transactions. */
export function openStoredApiKeys({ database, log }: Runtime): StoredApiKeys {
  const recordUse = coalesceTenants(
    database,
    (transaction, { id }: KeyPlace) => recordApiKeyUse(transaction, id, recordUseSeconds),
    { pauseMs },
  );
  return {
    read: coalesceTenants(database, async (transaction, { tenantId, id }: KeyPlace) => {
      const row = await findApiKeySecret(transaction, id);
      return row && { ...row, principal: keyPrincipal(tenantId, row) };
    }),
    recordUse: (place) => {
      recordUse(place).catch((error: unknown) =>
        log.warn({ err: error, tenantId: place.tenantId, keyId: place.id }, 'use of an API key not recorded'),
      );
    },
  };
}

export async function authenticateApiKey(
  keys: StoredApiKeys,
  cache: ShortLivedCache<CachedApiKey | undefined>,
  { token, now }: { token: string; now: Date },
): Promise<Principal | TokenRejection> {
  const parts = readApiKey(token);
  if (!parts) return { rejected: 'the API key is mistyped' };
  const { tenantId, id, secret } = parts;
  const key = await cache(`${tenantId}:${id}`, () => keys.read({ tenantId, id }));
  if (!key || !timingSafeEqual(sha256(secret), key.secretHash))
    return { rejected: 'there is no such API key' };
  if (key.revokedAt) return { rejected: 'the API key was revoked' };
  if (key.isOwnerInactive) return { rejected: 'the owner of the API key is disabled or deleted' };
  if (key.expiresAt && key.expiresAt <= now) return { rejected: 'the API key has expired' };

  if (!key.lastUsedAt || key.lastUsedAt <= addSeconds(now, -recordUseSeconds)) {
    key.lastUsedAt = now;
    keys.recordUse({ tenantId, id });
  }
  return key.principal;
}

function keyPrincipal(
  tenantId: number,
  { id, name, role, scopes, stationIds, expiresAt, ...row }: ApiKeySecret,
): Principal {
  const { dataServerIds, pathPrefixes, tagsOfKeyId, ownerId } = row;
  const isBound = dataServerIds.length + pathPrefixes.length > 0;
  const granted = permissionsOf[role].filter((permission) => scopes?.includes(permission) ?? true);
  return {
    tenantId,
    subject: keySubject(id),
    userId: undefined,
    keyId: id,
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
