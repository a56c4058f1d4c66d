import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** The time zone of the tenant's first station, for times that belong to no station. */
export async function tenantZone(transaction: TenantTransaction): Promise<string> {
  const station = await transaction
    .selectFrom('stations')
    .select('timeZone')
    .where('tenantId', '=', transaction.tenantId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return station?.timeZone ?? 'UTC';
}
