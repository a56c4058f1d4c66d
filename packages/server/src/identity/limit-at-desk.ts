import { type Permission, permissionsOf } from '../http/permissions.ts';
import type { AtDesk, Principal } from '../http/principal.ts';
import type { Session } from './sessions/session.store.ts';

/**
 * The rights of a session at a shared desk. Everybody can use the session of the desk itself, so it may do no more than a
 * viewer. A PIN or a badge proves less than a password, so people get no more than the rights of an operator there.
 */
export function limitAtDesk(
  principal: Principal,
  { id, deskName, deskSessionId }: Pick<Session, 'id' | 'deskName' | 'deskSessionId'>,
): Principal {
  if (deskName !== null) return limited(principal, { kind: 'desk', sessionId: id }, permissionsOf.viewer);
  if (deskSessionId === null) return principal;
  return limited(principal, { kind: 'person', sessionId: deskSessionId }, permissionsOf.operator);
}

function limited(principal: Principal, desk: AtDesk, allowed: readonly Permission[]): Principal {
  const granted = allowed.filter((permission) => principal.permissions.has(permission));
  return { ...principal, permissions: new Set(granted), desk };
}
