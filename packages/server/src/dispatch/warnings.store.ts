import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** What was said of the server by an alarm and not yet taken back: its messages by the paths of their alarms. */
export async function readWarnings(
  transaction: TenantTransaction,
  folder: string,
): Promise<Map<string, string>> {
  const rows = await transaction
    .selectFrom('warnings')
    .select(['path', 'message'])
    .where('tenantId', '=', transaction.tenantId)
    .execute();
  return new Map(
    rows.filter(({ path }) => path.startsWith(`${folder}/`)).map(({ path, message }) => [path, message]),
  );
}

export async function saveWarning(
  transaction: TenantTransaction,
  { path, message }: { path: string; message: string },
): Promise<void> {
  const { tenantId, now } = transaction;
  await transaction
    .insertInto('warnings')
    .values({ tenantId, path, message, toldAt: now })
    .onConflict((conflict) => conflict.columns(['tenantId', 'path']).doUpdateSet({ message, toldAt: now }))
    .execute();
}

export async function deleteWarning(transaction: TenantTransaction, path: string): Promise<void> {
  await transaction
    .deleteFrom('warnings')
    .where('tenantId', '=', transaction.tenantId)
    .where('path', '=', path)
    .execute();
}

/** The tenants that were told so, of all. */
export async function listWarnedTenants({ client }: TenantTransaction, path: string): Promise<number[]> {
  const { rows } = await client.query<{ tenant_id: number }>({
    name: 'warned-tenants',
    text: 'select tenant_id from warned_tenants($1) as tenant_id',
    values: [path],
  });
  return rows.map((row) => row.tenant_id);
}
