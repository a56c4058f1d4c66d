import type { CloseReason, HubConnection } from '@tocsin/signalr';
import type { Principal } from '../http/principal.ts';
import { stationScope } from '../identity/user-principal.ts';
import type { HubUser } from './hub-user.ts';
import type { Rights, Standing } from './standing.store.ts';

export type RightsWatch = {
  readonly connections: () => Iterable<HubConnection<HubUser>>;
  readonly readRights: (standings: readonly Standing[]) => Promise<readonly (Rights | undefined)[]>;
  readonly onClosed: () => void;
};

/** Identities asked for in one question. */
const mostTogether = 2_000;

/**
 * Closes the connections whose token no longer holds. Whose rights have changed comes back at once, and is let in
 * with those it has now.
 */
export async function watchRights({ connections, readRights, onClosed }: RightsWatch): Promise<void> {
  const groups = [...Map.groupBy(connections(), ({ identity }) => keyOf(identity.user.principal)).values()];
  for (let start = 0; start < groups.length; start += mostTogether) {
    const some = groups.slice(start, start + mostTogether);
    const rights = await readRights(some.flatMap(([first]) => (first ? standingOf(first) : [])));
    some.forEach((group, index) => {
      for (const connection of group) if (settle(connection, rights[index])) onClosed();
    });
  }
}

function settle(connection: HubConnection<HubUser>, rights: Rights | undefined): boolean {
  const refusal = refusalOf(connection.identity.user.principal, rights);
  if (refusal) connection.close(refusal);
  return refusal !== undefined;
}

const revoked = { error: 'revoked', allowReconnect: false } as const;
const changed = { allowReconnect: true } as const;

/** Why somebody who was let in as this principal would not be so again. */
export function refusalOf(
  { role, stationIds }: Principal,
  rights: Rights | undefined,
): CloseReason | undefined {
  if (!rights) return revoked;
  const holds = rights.role === role && sameStations(stationIds, stationScope(rights.stationIds));
  return holds ? undefined : changed;
}

/** Whether two tokens of one caller permit the same. */
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

export function standingOf({ identity }: HubConnection<HubUser>): Standing {
  const { tenantId, subject, sessionId, userId } = identity.user.principal;
  const [, keyId] = /^key:(\d+)$/.exec(subject) ?? [];
  return { tenantId, sessionId, keyId: keyId === undefined ? undefined : Number(keyId), userId };
}
