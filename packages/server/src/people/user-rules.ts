import type { Role } from '@tocsin/contract';
import { permissionsOf } from '../http/permissions.ts';
import type { Principal } from '../http/principal.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { ProblemError } from '../problem.ts';
import { countOtherAdministrators } from './user-use.store.ts';

type Standing = { role: Role; enabled: boolean; stationIds: readonly number[] };

/** Nobody gives, or takes from another, what he may not do himself. */
export function requireRank({ name, permissions }: Principal, role: Role): void {
  const lacking = permissionsOf[role].find((permission) => !permissions.has(permission));
  if (lacking === undefined) return;
  throw new ProblemError('not-allowed', `${name} lacks ${lacking}, which the role ${role} has`);
}

/** Refuses a change after which nobody could administer the tenant any more; `after` is absent for a deletion. */
export async function keepAnAdministrator(
  transaction: TenantTransaction,
  { id, before, after }: { id: number; before: Standing; after?: Standing },
): Promise<void> {
  if (!isAdministrator(before) || (after && isAdministrator(after))) return;
  if ((await countOtherAdministrators(transaction, id)) > 0) return;
  throw new ProblemError('conflict', 'This is the last enabled administrator of the tenant');
}

/** Why tokens given out before a change must not live on, or undefined when they may. */
export function revocationReason(
  before: Standing,
  after: Standing & { passwordHash: string | undefined },
): string | undefined {
  if (!after.enabled) return 'disabled';
  if (after.passwordHash !== undefined) return 'password changed';
  if (after.role !== before.role) return 'role changed';
  return sameStations(before, after) ? undefined : 'stations changed';
}

function isAdministrator({ role, enabled, stationIds }: Standing): boolean {
  return role === 'admin' && enabled && stationIds.length === 0;
}

function sameStations({ stationIds: before }: Standing, { stationIds: after }: Standing): boolean {
  return before.length === after.length && before.every((id) => after.includes(id));
}
