import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type AuditKeyRow = {
  keyId: string;
  publicKey: string;
  /** Empty once another key has replaced it. */
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

/** Lets one process at a time create a key; the others wait and then find it. */
export async function lockAuditKeys(outside: TenantTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(7420, 4)`.execute(outside);
}

export async function insertAuditKey(outside: TenantTransaction, row: AuditKeyRow): Promise<void> {
  await outside.insertInto('auditKeys').values(row).execute();
}

export async function updatePrivateKey(
  outside: TenantTransaction,
  { keyId, privateKey }: Pick<AuditKeyRow, 'keyId' | 'privateKey'>,
): Promise<void> {
  await outside.updateTable('auditKeys').set({ privateKey }).where('keyId', '=', keyId).execute();
}

/** Destroys all private keys, so that the present keys sign nothing more. */
export async function destroyPrivateKeys(outside: TenantTransaction): Promise<void> {
  await outside
    .updateTable('auditKeys')
    .set({ privateKey: Buffer.alloc(0) })
    .execute();
}
