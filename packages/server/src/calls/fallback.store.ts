import type { DispatchSettings } from '@tocsin/contract';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** The settings for all calls of the tenant. The call group of last resort is 0 for none. */
export type StoredSettings = Required<DispatchSettings>;

export async function readDispatchSettings(transaction: TenantTransaction): Promise<StoredSettings> {
  const tenant = await transaction
    .selectFrom('tenants')
    .select(['fallbackCallGroupId', 'tellCalled', 'tagQuietSeconds', 'confirmAddresses'])
    .select(['testEveryDays', 'testAt', 'testBeforeShiftMinutes', 'shiftReminderMinutes'])
    .where('id', '=', transaction.tenantId)
    .executeTakeFirstOrThrow();
  const { testEveryDays: everyDays, testAt: at, testBeforeShiftMinutes: beforeShiftMinutes } = tenant;
  return {
    fallbackCallGroupId: tenant.fallbackCallGroupId ?? 0,
    tellCalled: tenant.tellCalled,
    tagQuietSeconds: tenant.tagQuietSeconds,
    confirmAddresses: tenant.confirmAddresses,
    reachability: {
      at,
      ...(everyDays !== null && { everyDays }),
      ...(beforeShiftMinutes !== null && { beforeShiftMinutes }),
    },
    shiftReminderMinutes: tenant.shiftReminderMinutes,
  };
}

/** The call group of last resort; 0 for none. */
export async function readFallbackGroup(transaction: TenantTransaction): Promise<number> {
  return (await readDispatchSettings(transaction)).fallbackCallGroupId;
}

const defaultTestAt = '10:00';

/** Writes all columns at once: the trigger on the first one makes all servers read the configuration again. */
export async function saveDispatchSettings(
  transaction: TenantTransaction,
  settings: StoredSettings,
): Promise<void> {
  const { fallbackCallGroupId: id, reachability, ...others } = settings;
  await transaction
    .updateTable('tenants')
    .set({
      fallbackCallGroupId: id === 0 ? null : id,
      ...others,
      testEveryDays: reachability.everyDays ?? null,
      testAt: reachability.at ?? defaultTestAt,
      testBeforeShiftMinutes: reachability.beforeShiftMinutes ?? null,
    })
    .where('id', '=', transaction.tenantId)
    .execute();
}
