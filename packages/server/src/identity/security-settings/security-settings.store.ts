import type { Role, SecuritySettings, TwoPersonAction } from '@tocsin/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

export type StoredSecuritySettings = { settings: SecuritySettings; version: number };

/** Apply until the tenant changes a rule. */
const defaults: SecuritySettings = {
  secondFactorRoles: [],
  confirmDangerous: false,
  confirmationMinutes: 10,
  deskMinutes: 15,
  twoPersonActions: [],
};

const columns = [
  sql<Role[]>`second_factor_roles`.as('secondFactorRoles'),
  'confirmDangerous',
  'confirmationMinutes',
  'deskMinutes',
  sql<TwoPersonAction[]>`two_person_actions`.as('twoPersonActions'),
  'version',
] as const;

/** The rules of the tenant; the defaults, in version 0, if it has changed none. */
export async function readSecuritySettings(
  transaction: TenantTransaction,
  { forUpdate }: { forUpdate: boolean } = { forUpdate: false },
): Promise<StoredSecuritySettings> {
  const query = transaction
    .selectFrom('securitySettings')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId);
  const row = await (forUpdate ? query.forUpdate() : query).executeTakeFirst();
  const { version = 0, ...settings } = row ?? {};
  return { settings: { ...defaults, ...settings }, version };
}

export async function saveSecuritySettings(
  transaction: TenantTransaction,
  settings: SecuritySettings,
): Promise<void> {
  const { tenantId, now: lastChange } = transaction;
  const { secondFactorRoles, confirmDangerous, confirmationMinutes, deskMinutes, twoPersonActions } =
    settings;
  const rules = { secondFactorRoles, confirmDangerous, confirmationMinutes, deskMinutes, twoPersonActions };
  const row = { ...rules, lastChange };
  await transaction
    .insertInto('securitySettings')
    .values({ tenantId, ...row })
    .onConflict((conflict) =>
      conflict
        .column('tenantId')
        .doUpdateSet(({ eb }) => ({ ...row, version: eb('securitySettings.version', '+', 1) })),
    )
    .execute();
}
