import { systemOrigin } from '../audit/audit-entry.ts';
import { outsideTenants, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { addAdmin, type FirstAdmin } from './add-admin.ts';
import { type NewTenant, openTenant } from './open-tenant.ts';

/** A new customer, with an administrator if one is named. `also` runs in the same transaction. */
export async function createTenant(
  { database }: Pick<Runtime, 'database'>,
  { admin, ...tenant }: NewTenant & { admin?: FirstAdmin },
  also: (transaction: TenantTransaction) => Promise<void> = async () => {},
): Promise<number> {
  return outsideTenants(database, async (outside) => {
    const transaction = await openTenant(outside, tenant, systemOrigin);
    if (admin) await addAdmin(transaction, admin, systemOrigin);
    await also(transaction);
    return transaction.tenantId;
  });
}
