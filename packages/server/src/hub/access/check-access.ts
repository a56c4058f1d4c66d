import type { CloseReason, HubConnection } from '@tocsin/signalr';
import type { Principal } from '../../http/principal.ts';
import { stationScope } from '../../identity/user-principal.ts';
import type { Access, Credential } from './access-status.store.ts';
import type { HubUser } from './hub-user.ts';

export type AccessCheck = {
  readonly connections: () => Iterable<HubConnection<HubUser>>;
  readonly readAccess: (credentials: readonly Credential[]) => Promise<readonly Access[]>;
  readonly onClosed: () => void;
};

/** Credentials that are read in one query. */
const maxPerQuery = 2_000;

/**
 * Closes the connections whose token is no longer valid. A client whose rights have changed, or whose tenant has moved to
 * another cell, may reconnect at once.
 */
export async function checkAccess({ connections, readAccess, onClosed }: AccessCheck): Promise<void> {
  const groups = [...Map.groupBy(connections(), ({ identity }) => keyOf(identity.user.principal)).values()];
  for (let start = 0; start < groups.length; start += maxPerQuery) {
    const batch = groups.slice(start, start + maxPerQuery);
    const access = await readAccess(batch.flatMap(([first]) => (first ? credentialOf(first) : [])));
    batch.forEach((group, index) => {
      for (const connection of group) if (closeIfChanged(connection, access[index])) onClosed();
    });
  }
}

function closeIfChanged(connection: HubConnection<HubUser>, access: Access): boolean {
  const reason = closeReasonOf(connection.identity.user.principal, access);
  if (reason) connection.close(reason);
  return reason !== undefined;
}

const revoked = { error: 'revoked', allowReconnect: false } as const;
const changed = { allowReconnect: true } as const;

/** Why a connection of this principal must end; undefined while its rights are the same. */
export function closeReasonOf({ role, stationIds }: Principal, access: Access): CloseReason | undefined {
  if (!access) return revoked;
  if (access === 'elsewhere') return changed;
  const isSame = access.role === role && sameStations(stationIds, stationScope(access.stationIds));
  return isSame ? undefined : changed;
}

/** Whether two tokens of one caller grant the same. */
export function sameRights(one: Principal, other: Principal): boolean {
  return (
    one.role === other.role &&
    one.permissions.size === other.permissions.size &&
    [...one.permissions].every((permission) => other.permissions.has(permission)) &&
    sameStations(one.stationIds, other.stationIds)
  );
}

function sameStations(one: readonly number[] | undefined, other: readonly number[] | undefined): boolean {
  if (!one || !other) return one === other;
  return one.length === other.length && one.every((id) => other.includes(id));
}

function keyOf({ tenantId, subject, sessionId }: Principal): string {
  return `${tenantId} ${subject} ${sessionId ?? ''}`;
}

export function credentialOf({ identity }: HubConnection<HubUser>): Credential {
  const { tenantId, sessionId, keyId, userId } = identity.user.principal;
  return { tenantId, sessionId, keyId, userId };
}
