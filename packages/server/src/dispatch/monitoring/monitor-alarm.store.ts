import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** Reads the monitor alarms that are raised: messages by path. */
export async function readMonitorAlarms(
  transaction: TenantTransaction,
  folder: string,
): Promise<Map<string, string>> {
  const rows = await transaction
    .selectFrom('monitorAlarms')
    .select(['path', 'message'])
    .where('tenantId', '=', transaction.tenantId)
    .execute();
  return new Map(
    rows.filter(({ path }) => path.startsWith(`${folder}/`)).map(({ path, message }) => [path, message]),
  );
}

export async function saveMonitorAlarm(
  transaction: TenantTransaction,
  { path, message }: { path: string; message: string },
): Promise<void> {
  const { tenantId, now } = transaction;
  await transaction
    .insertInto('monitorAlarms')
    .values({ tenantId, path, message, raisedAt: now })
    .onConflict((conflict) => conflict.columns(['tenantId', 'path']).doUpdateSet({ message, raisedAt: now }))
    .execute();
}

export async function deleteMonitorAlarm(transaction: TenantTransaction, path: string): Promise<void> {
  await transaction
    .deleteFrom('monitorAlarms')
    .where('tenantId', '=', transaction.tenantId)
    .where('path', '=', path)
    .execute();
}

/** Lists all tenants in which this monitor alarm is raised. */
export async function listTenantsWithMonitorAlarm(
  { client }: TenantTransaction,
  path: string,
): Promise<number[]> {
  const { rows } = await client.query<{ tenant_id: number }>({
    name: 'tenants-with-monitor-alarm',
    text: 'select tenant_id from tenants_with_monitor_alarm($1) as tenant_id',
    values: [path],
  });
  return rows.map((row) => row.tenant_id);
}
