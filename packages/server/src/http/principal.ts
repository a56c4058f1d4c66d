import type { Role } from '@tocsin/contract';
import { ProblemError } from '../problem.ts';
import type { Permission } from './permissions.ts';

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
};

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
