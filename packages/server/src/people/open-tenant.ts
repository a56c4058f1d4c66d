import { appendAudit } from '../audit/audit.store.ts';
import type { AuditOrigin } from '../audit/audit-entry.ts';
import { dataServerStore } from '../plant/data-server.store.ts';
import { stationStore } from '../plant/station.store.ts';
import { enterTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { insertTenant, isFreeTenantId, nextTenantId } from './tenant.store.ts';

export type NewTenant = {
  name: string;
  /** The next free number if undefined. */
  number?: number;
  station?: string;
  timeZone?: string;
  dataServer?: string;
};

/** The wanted number is or was that of another tenant. */
export class NumberTaken extends Error {}

/**
 * Creates a tenant with a default station and data server, and continues the transaction, which began without a tenant, as
 * that tenant.
 */
export async function openTenant(
  outside: TenantTransaction,
  { name, number, station = 'Station', timeZone = 'UTC', dataServer = 'DataServer' }: NewTenant,
  origin: AuditOrigin,
): Promise<TenantTransaction> {
  if (number !== undefined && !(await isFreeTenantId(outside, number))) throw new NumberTaken();
  const transaction = await enterTenant(outside, number ?? (await nextTenantId(outside)));
  await insertTenant(transaction, name);
  const stationId = await stationStore.insert(transaction, { name: station, timeZone });
  await dataServerStore.insert(transaction, { name: dataServer, stationId });
  const { tenantId, now } = transaction;
  const act = { action: 'tenant.create', object: { kind: 'tenant', id: String(tenantId) } };
  const after = { name, station, timeZone, dataServer };
  await appendAudit(transaction, [{ ...origin, ...act, after }], now);
  return transaction;
}
