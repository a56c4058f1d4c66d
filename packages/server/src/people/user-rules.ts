import type { Role } from '@tocsin/contract';
import { ProblemError } from '../common/problem.ts';
import { permissionsOf } from '../http/permissions.ts';
import type { Principal } from '../http/principal.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { countOtherAdministrators } from './user-use.store.ts';

type AccessStatus = { role: Role; enabled: boolean; stationIds: readonly number[] };

/** Users cannot grant a role with more rights than they have, nor change a user who has one. */
export function requireRank({ name, permissions }: Principal, role: Role): void {
  const lacking = permissionsOf[role].find((permission) => !permissions.has(permission));
  if (lacking === undefined) return;
  throw new ProblemError('not-allowed', `${name} lacks ${lacking}, which the role ${role} has`);
}

/** Refuses a change that would leave the tenant without an administrator; `after` is undefined for a deletion. */
export async function keepAnAdministrator(
  transaction: TenantTransaction,
  { id, before, after }: { id: number; before: AccessStatus; after?: AccessStatus },
): Promise<void> {
  if (!isAdministrator(before) || (after && isAdministrator(after))) return;
  if ((await countOtherAdministrators(transaction, id)) > 0) return;
  throw new ProblemError('conflict', 'This is the last enabled administrator of the tenant');
}

/** The reason to revoke the tokens of a changed user; undefined if they stay valid. */
export function revocationReason(
  before: AccessStatus,
  after: AccessStatus & { passwordHash: string | undefined },
): string | undefined {
  if (!after.enabled) return 'disabled';
  if (after.passwordHash !== undefined) return 'password changed';
  if (after.role !== before.role) return 'role changed';
  return sameStations(before, after) ? undefined : 'stations changed';
}

function isAdministrator({ role, enabled, stationIds }: AccessStatus): boolean {
  return role === 'admin' && enabled && stationIds.length === 0;
}

function sameStations({ stationIds: before }: AccessStatus, { stationIds: after }: AccessStatus): boolean {
  return before.length === after.length && before.every((id) => after.includes(id));
}
