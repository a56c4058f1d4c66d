import { leftOut } from '../order-tables.ts';
import type { OwnerClient } from '../owner-connection.store.ts';
import { readTenantTables, type TenantTable } from '../tenant-catalog.store.ts';

/** The tables whose rows move with a tenant. */
export async function readMovedTables(client: OwnerClient): Promise<TenantTable[]> {
  return (await readTenantTables(client)).filter(({ name }) => !Object.hasOwn(leftOut, name));
}
