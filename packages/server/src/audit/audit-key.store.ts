import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type AuditKeyRow = {
  keyId: string;
  publicKey: string;
  privateKey: Buffer;
  isSealed: boolean;
  createdAt: Date;
};

/** Newest first. */
export function listAuditKeys(outside: TenantTransaction): Promise<AuditKeyRow[]> {
  return outside
    .selectFrom('auditKeys')
    .select(['keyId', 'publicKey', 'privateKey', 'isSealed', 'createdAt'])
    .orderBy('createdAt', 'desc')
    .orderBy('keyId')
    .execute();
}

/** One process at a time makes a key; the others wait and then find it. */
export async function lockAuditKeys(outside: TenantTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(7420, 4)`.execute(outside);
}

export async function insertAuditKey(outside: TenantTransaction, row: AuditKeyRow): Promise<void> {
  await outside.insertInto('auditKeys').values(row).execute();
}
