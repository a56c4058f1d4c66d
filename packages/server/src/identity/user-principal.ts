import { permissionsOf } from '../http/permissions.ts';
import type { Principal } from '../http/principal.ts';
import type { Account } from './sessions/account.store.ts';

export function userPrincipal(
  tenantId: number,
  { userId, name, role, stationIds }: Account,
  sessionId: string | undefined,
): Principal {
  return {
    tenantId,
    subject: `user:${userId}`,
    userId,
    name,
    role,
    permissions: new Set(permissionsOf[role]),
    stationIds: stationScope(stationIds),
    sessionId,
  };
}

/** An empty list means all stations. */
export function stationScope(stationIds: readonly number[]): readonly number[] | undefined {
  return stationIds.length === 0 ? undefined : stationIds;
}
