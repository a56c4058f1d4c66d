import { sql } from 'kysely';
import type { TenantTransaction } from './tenant-transaction.ts';

/** Kinds of rows whose changes are checked across several rows. */
export type LockedKind =
  | 'tag-groups'
  | 'users'
  | 'call-groups'
  | 'monitor-alarms'
  | 'address-codes'
  | 'guidance';

/**
 * Lets one transaction of the tenant at a time write this kind of row. Taken before any row is locked, so that two
 * writers wait for each other and never deadlock.
 */
export async function lockWrites(transaction: TenantTransaction, kind: LockedKind): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${kind}, ${transaction.tenantId}))`.execute(
    transaction,
  );
}
