import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** Whether a user of the tenant logs in with this name, in any case. */
export async function isNameTaken(transaction: TenantTransaction, username: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('logins')
    .select('userId')
    .where('tenantId', '=', transaction.tenantId)
    .where('usernameKey', '=', sql<string>`lower(${username})`)
    .executeTakeFirst();
  return row !== undefined;
}

/** The tenant of this name or number; with an empty text the only one of the installation. */
export async function findTenant(
  transaction: TenantTransaction,
  nameOrNumber: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number | null }>`select find_tenant(${nameOrNumber}) as id`.execute(
    transaction,
  );
  return rows[0]?.id ?? undefined;
}

/** The tenant that a typed name is for, and the name in it. */
export async function findTenantOfName(
  transaction: TenantTransaction,
  typedName: string,
): Promise<{ tenantId: number; name: string } | undefined> {
  const { rows } = await sql<{ tenantId: number; name: string }>`
    select tenant_id, name from find_tenant_of_name(${typedName})`.execute(transaction);
  return rows[0];
}
