import { appendAudit } from '../audit/audit.store.ts';
import type { AuditOrigin } from '../audit/audit-entry.ts';
import { insertDataServer } from '../plant/data-server.store.ts';
import { insertStation } from '../plant/station.store.ts';
import { enterTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { insertTenant, nextTenantId } from './tenant.store.ts';

export type NewTenant = { name: string; station?: string; timeZone?: string; dataServer?: string };

/**
 * Makes a tenant with the station and data server that alarms fall back on, and goes on as that tenant in the
 * transaction, which began outside.
 */
export async function openTenant(
  outside: TenantTransaction,
  { name, station = 'Station', timeZone = 'UTC', dataServer = 'DataServer' }: NewTenant,
  origin: AuditOrigin,
): Promise<TenantTransaction> {
  const transaction = await enterTenant(outside, await nextTenantId(outside));
  await insertTenant(transaction, name);
  const stationId = await insertStation(transaction, { name: station, timeZone });
  await insertDataServer(transaction, { name: dataServer, stationId });
  const { tenantId, now } = transaction;
  const act = { action: 'tenant.create', object: { kind: 'tenant', id: String(tenantId) } };
  const after = { name, station, timeZone, dataServer };
  await appendAudit(transaction, [{ ...origin, ...act, after }], now);
  return transaction;
}
