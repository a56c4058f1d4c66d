import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** The number of the next tenant. Other transactions wait for it until this one ends. */
export async function nextTenantId(transaction: TenantTransaction): Promise<number> {
  const { rows } = await sql<{ id: number }>`select next_tenant_id() as id`.execute(transaction);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('no number for a tenant');
  return id;
}

/** Locks numbers as `nextTenantId` does. False if the number is or was that of another tenant. */
export async function isFreeTenantId(transaction: TenantTransaction, wanted: number): Promise<boolean> {
  await nextTenantId(transaction);
  const { rows } = await sql<{ free: boolean }>`
    select not is_tenant_closed(${wanted}) and ${wanted} not in (select tenant_ids())
      and ${wanted} not in (select number from moved_tenants) as free`.execute(transaction);
  return rows[0]?.free ?? false;
}

/** Every tenant of the installation that is not being deleted. Works outside tenants only. */
export async function listTenantIds(transaction: TenantTransaction): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select tenant_ids() as id`.execute(transaction);
  return rows.map(({ id }) => id);
}

/** Whether the installation has no tenant. Locks that state until the transaction ends. */
export async function hasNoTenant(transaction: TenantTransaction): Promise<boolean> {
  await nextTenantId(transaction);
  return (await listTenantIds(transaction)).length === 0;
}

export async function readTenantSettings(
  transaction: TenantTransaction,
): Promise<{ name: string; maximumMaskSeconds: number; confirmAddresses: boolean }> {
  return transaction
    .selectFrom('tenants')
    .select(['name', 'maximumMaskSeconds', 'confirmAddresses'])
    .where('id', '=', transaction.tenantId)
    .executeTakeFirstOrThrow();
}

export async function insertTenant(transaction: TenantTransaction, name: string): Promise<void> {
  const { tenantId, now } = transaction;
  await transaction.insertInto('tenants').values({ id: tenantId, name, createdAt: now }).execute();
  await transaction.insertInto('tenantCounters').values({ tenantId }).execute();
}
