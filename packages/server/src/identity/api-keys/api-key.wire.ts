import type { ApiKey } from '@tocsin/contract';
import { formatInZone } from '@tocsin/domain';
import { permissionsOf } from '../../http/permissions.ts';
import type { ApiKeyRow } from './api-key.store.ts';

export function toWire(row: ApiKeyRow, zone: string): ApiKey {
  const { id, name, role, stationIds, scopes, createdAt, expiresAt, lastUsedAt, revokedAt } = row;
  const { dataServerIds, pathPrefixes, tagsOfKeyId, ownerId, owner } = row;
  return {
    id,
    name,
    role,
    stationIds,
    scopes: scopes ?? [...permissionsOf[role]],
    dataServerIds,
    pathPrefixes,
    replacesId: tagsOfKeyId ?? 0,
    ownerId: ownerId ?? 0,
    owner,
    createdAt: formatInZone(zone, createdAt),
    ...(expiresAt && { expiresAt: formatInZone(zone, expiresAt) }),
    ...(lastUsedAt && { lastUsedAt: formatInZone(zone, lastUsedAt) }),
    ...(revokedAt && { revokedAt: formatInZone(zone, revokedAt) }),
  };
}
