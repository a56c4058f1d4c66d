import { systemOrigin } from '../audit/audit-entry.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { outsideTenants, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { addAdmin, type FirstAdmin } from './add-admin.ts';
import { type NewTenant, openTenant } from './open-tenant.ts';

/** Creates a tenant, with an administrator if one is named. `also` runs in the same transaction. */
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
