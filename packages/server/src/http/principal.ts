import type { Role } from '@tocsin/contract';
import { ProblemError } from '../problem.ts';
import type { Permission } from './permissions.ts';

/** The places that an API key is bound to; an empty list limits nothing. */
export type Binding = { readonly dataServerIds: readonly number[]; readonly pathPrefixes: readonly string[] };

/** Who a user is to an outside issuer: what its token says, to the letter. */
export type OutsideIdentity = { readonly issuer: string; readonly subject: string };

/** Who is asking, as the token says: the tenant never comes from anywhere else. */
export type Principal = {
  readonly tenantId: number;
  /** `user:7` or `key:3`, unique in the tenant. */
  readonly subject: string;
  /** Absent for machines. */
  readonly userId: number | undefined;
  readonly name: string;
  readonly role: Role;
  readonly permissions: ReadonlySet<Permission>;
  /** The stations it may see and act on; absent means all. */
  readonly stationIds: readonly number[] | undefined;
  /** Absent for API keys and outside issuers. */
  readonly sessionId: string | undefined;
  /** When the API key ends, if it does; of other tokens the token itself tells. */
  readonly expiresAt?: Date | undefined;
  /** The places that an API key may send alarms for; absent means all. */
  readonly binding?: Binding | undefined;
  /** The subject whose tags it may define; absent: its own. */
  readonly tagOwner?: string | undefined;
  /** Absent unless an outside issuer vouches for the user. */
  readonly outside?: OutsideIdentity | undefined;
  /** The user with whom an API key stops. */
  readonly ownerId?: number | undefined;
};

/** The user behind the principal, with whom the API keys that it makes stop; null when none is known. */
export function ownerOf({ userId, ownerId }: Principal): number | null {
  return userId ?? ownerId ?? null;
}

export function maySeeStation({ stationIds }: Principal, stationId: number | null): boolean {
  return stationIds === undefined || (stationId !== null && stationIds.includes(stationId));
}

/** Refuses to touch what lies outside the principal's stations; `null` is what belongs to all stations. */
export function requireStation(principal: Principal, stationId: number | null): void {
  if (maySeeStation(principal, stationId)) return;
  const where = stationId === null ? 'what belongs to all stations' : `station ${stationId}`;
  throw new ProblemError('not-allowed', `${principal.name} may not act on ${where}`);
}

/** Users, keys and stations themselves belong to the whole tenant: a principal bound to stations may not change them. */
export function requireWholeTenant(principal: Principal): void {
  if (principal.stationIds === undefined) return;
  throw new ProblemError('not-allowed', `${principal.name} may act on single stations only`);
}
