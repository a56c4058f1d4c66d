/** The tenants that a background job has work in, by one statement. All of them work outside tenants only. */
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** Tenants with calls of alarms whose histories may be deleted, or with old reports of providers; 0 months keep all calls. */
export function tenantsWithOldCalls(
  transaction: TenantTransaction,
  { retentionMonths, callbacksBefore }: { retentionMonths: number; callbacksBefore: Date },
): Promise<number[]> {
  const keepFrom = startOfHistories(transaction, retentionMonths);
  return list(transaction, sql`tenants_with_old_calls(${keepFrom}, ${callbacksBefore})`);
}

/** The times before which rows are deleted; rows that name their own end are deleted after it. */
export type RowAges = {
  keysBefore: Date;
  approvalsBefore: Date;
  signInsBefore: Date;
  codesBefore: Date;
  eventsBefore: Date;
};

export function tenantsWithExpiredRows(transaction: TenantTransaction, ages: RowAges): Promise<number[]> {
  const { keysBefore, approvalsBefore, signInsBefore, codesBefore, eventsBefore } = ages;
  return list(
    transaction,
    sql`tenants_with_expired_rows(${transaction.now}, ${keysBefore}, ${approvalsBefore}, ${signInsBefore}, ${codesBefore},
      ${eventsBefore})`,
  );
}

/** Tenants with alarms in an ended month whose sums are not built. */
export function tenantsWithOpenMonths(transaction: TenantTransaction, until: Date): Promise<number[]> {
  return list(transaction, sql`tenants_with_open_months(${until})`);
}

/** Tenants with temporary tags at rest whose histories may be deleted; 0 months keep all histories. */
export function tenantsWithTemporaryTags(
  transaction: TenantTransaction,
  { retentionMonths, restingSince }: { retentionMonths: number; restingSince: Date },
): Promise<number[]> {
  const keepFrom = startOfHistories(transaction, retentionMonths);
  return list(transaction, sql`tenants_with_temporary_tags(${restingSince}, ${keepFrom})`);
}

/** Tenants with alarms at rest since then that are still kept as recent. */
export function tenantsWithRestingAlarms(
  transaction: TenantTransaction,
  restingSince: Date,
): Promise<number[]> {
  return list(transaction, sql`tenants_with_resting_alarms(${restingSince})`);
}

export function tenantsWithSystemAlarms(transaction: TenantTransaction, kind: string): Promise<number[]> {
  return list(transaction, sql`tenants_with_system_alarms(${kind})`);
}

/** Tenants with API keys that were used since then and expire until then. */
export function tenantsWithExpiringKeys(
  transaction: TenantTransaction,
  { usedSince, until }: { usedSince: Date; until: Date },
): Promise<number[]> {
  return list(transaction, sql`tenants_with_expiring_keys(${usedSince}, ${until})`);
}

export function tenantsWithOldAuditEntries(transaction: TenantTransaction, before: Date): Promise<number[]> {
  return list(transaction, sql`tenants_with_old_audit_entries(${before})`);
}

/** Histories before this time may be deleted; null if all are kept. */
function startOfHistories({ now }: TenantTransaction, retentionMonths: number): RawBuilder<unknown> {
  if (retentionMonths === 0) return sql`null`;
  return sql`${now}::timestamptz - make_interval(months => ${retentionMonths}::integer)`;
}

async function list(transaction: TenantTransaction, tenants: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select ${tenants} as id`.execute(transaction);
  return rows.map(({ id }) => id);
}
