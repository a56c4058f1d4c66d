import type { ApiKey } from '@tocsin/contract';
import { formatInZone } from '@tocsin/domain';
import { permissionsOf } from '../http/permissions.ts';
import type { ApiKeyRow } from './api-key.store.ts';

export function toWire(row: ApiKeyRow, zone: string): ApiKey {
  const { id, name, role, stationIds, scopes, createdAt, expiresAt, lastUsedAt, revokedAt } = row;
  return {
    id,
    name,
    role,
    stationIds,
    scopes: scopes ?? [...permissionsOf[role]],
    createdAt: formatInZone(zone, createdAt),
    ...(expiresAt && { expiresAt: formatInZone(zone, expiresAt) }),
    ...(lastUsedAt && { lastUsedAt: formatInZone(zone, lastUsedAt) }),
    ...(revokedAt && { revokedAt: formatInZone(zone, revokedAt) }),
  };
}
