import type { Role } from '@tocsin/contract';
import { ProblemError } from '../common/problem.ts';
import type { Permission } from './permissions.ts';

/** The data servers and paths that an API key is limited to; an empty list limits nothing. */
export type Binding = { readonly dataServerIds: readonly number[]; readonly pathPrefixes: readonly string[] };

/** The identity of a user at an outside issuer, exactly as in its tokens. */
export type OutsideIdentity = { readonly issuer: string; readonly subject: string };

/**
 * A shared desk. Its own session may only look, and people act on top of it in their own names, after a PIN or a badge.
 */
export type AtDesk = {
  readonly kind: 'desk' | 'person';
  /** The session of the desk. */
  readonly sessionId: string;
};

/** The caller, as identified by the token. The tenant never comes from any other source. */
export type Principal = {
  readonly tenantId: number;
  /** `user:7` or `key:3`, unique in the tenant. */
  readonly subject: string;
  /** Absent for machines. */
  readonly userId: number | undefined;
  /** Present for API keys only. */
  readonly keyId?: number | undefined;
  readonly name: string;
  readonly role: Role;
  readonly permissions: ReadonlySet<Permission>;
  /** The stations that the caller may see and change; undefined means all. */
  readonly stationIds: readonly number[] | undefined;
  /** Absent for API keys and outside issuers. */
  readonly sessionId: string | undefined;
  /** The expiry of an API key; other tokens contain their own. */
  readonly expiresAt?: Date | undefined;
  /** Limits the alarms that an API key may send; undefined means no limit. */
  readonly binding?: Binding | undefined;
  /** The subject whose tags the caller may define; by default its own. */
  readonly tagOwner?: string | undefined;
  /** Set only if an outside issuer authenticated the user. */
  readonly outside?: OutsideIdentity | undefined;
  /** Whether the user may do nothing but set up the second factor that their role needs. */
  readonly lacksSecondFactor?: boolean | undefined;
  /** The owner of an API key, which stops working with them. */
  readonly ownerId?: number | undefined;
  /** Set for the session of a shared desk, and for people who have signed in there. */
  readonly desk?: AtDesk | undefined;
};

/** The owner of API keys that the caller creates; null if there is no user. */
export function ownerOf({ userId, ownerId }: Principal): number | null {
  return userId ?? ownerId ?? null;
}

export function maySeeStation({ stationIds }: Principal, stationId: number | null): boolean {
  return stationIds === undefined || (stationId !== null && stationIds.includes(stationId));
}

/** Refuses a change outside the stations of the caller; `null` stands for an object of all stations. */
export function requireStation(principal: Principal, stationId: number | null): void {
  if (maySeeStation(principal, stationId)) return;
  const where = stationId === null ? 'what belongs to all stations' : `station ${stationId}`;
  throw new ProblemError('not-allowed', `${principal.name} may not act on ${where}`);
}

/** Users, keys and stations belong to the whole tenant, so callers limited to stations may not change them. */
export function requireWholeTenant(principal: Principal): void {
  if (principal.stationIds === undefined) return;
  throw new ProblemError('not-allowed', `${principal.name} may act on single stations only`);
}
