import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { AuditHead } from './audit-head.ts';

/** Keeps the first head of each entry: other servers may sign the same one. */
export async function insertAuditHead(transaction: TenantTransaction, head: AuditHead): Promise<void> {
  const { number, hash, at, keyId, signature } = head;
  await transaction
    .insertInto('auditHeads')
    .values({
      tenantId: transaction.tenantId,
      number,
      hash: Buffer.from(hash, 'hex'),
      at: new Date(at),
      keyId,
      signature,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The tenants whose head is not kept yet. Works outside tenants only. */
export async function tenantsWithoutHead(
  transaction: TenantTransaction,
  heads: readonly AuditHead[],
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`select tenants_without_audit_head(
    ${heads.map(({ tenantId }) => tenantId)}::bigint[], ${heads.map(({ number }) => number)}::bigint[]) as id`.execute(
    transaction,
  );
  return new Set(rows.map(({ id }) => id));
}

/** The heads of the entries between two numbers, in order. */
export async function listAuditHeads(
  transaction: TenantTransaction,
  { from, to }: { from: number; to: number },
): Promise<AuditHead[]> {
  const rows = await heads(transaction)
    .where('number', '>=', from)
    .where('number', '<=', to)
    .orderBy('number')
    .execute();
  return rows.map(toHead);
}

/** The head of the newest entry that was signed; undefined if none was. */
export async function newestAuditHead(transaction: TenantTransaction): Promise<AuditHead | undefined> {
  const row = await heads(transaction).orderBy('number', 'desc').limit(1).executeTakeFirst();
  return row && toHead(row);
}

/** Deletes the heads of entries that were deleted, except the last one. */
export async function deleteAuditHeads(transaction: TenantTransaction, before: number): Promise<void> {
  await transaction
    .deleteFrom('auditHeads')
    .where('tenantId', '=', transaction.tenantId)
    .where('number', '<', before)
    .execute();
}

function heads(transaction: TenantTransaction) {
  return transaction
    .selectFrom('auditHeads')
    .select(['tenantId', 'number', 'hash', 'at', 'keyId', 'signature'])
    .where('tenantId', '=', transaction.tenantId);
}

type Row = Omit<AuditHead, 'hash' | 'at'> & { readonly hash: Buffer; readonly at: Date };

const toHead = ({ hash, at, ...others }: Row): AuditHead => ({
  ...others,
  hash: hash.toString('hex'),
  at: at.toISOString(),
});
