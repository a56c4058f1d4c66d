import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** The call group of last resort; 0 for none. */
export async function readFallbackGroup(transaction: TenantTransaction): Promise<number> {
  const tenant = await transaction
    .selectFrom('tenants')
    .select('fallbackCallGroupId')
    .where('id', '=', transaction.tenantId)
    .executeTakeFirst();
  return tenant?.fallbackCallGroupId ?? 0;
}

export async function saveFallbackGroup(transaction: TenantTransaction, id: number): Promise<void> {
  await transaction
    .updateTable('tenants')
    .set({ fallbackCallGroupId: id === 0 ? null : id })
    .where('id', '=', transaction.tenantId)
    .execute();
}
