import { sql } from 'kysely';
import type { Statement } from '../postgres/statement.ts';
import type { BareTransaction, TenantTransaction } from '../postgres/tenant-transaction.ts';
import { type AuditDraft, type AuditEntry, actorName, type ChainedEntry, entryText } from './audit-entry.ts';

/**
 * Appends to the tenant's trail. Locks the trail until the commit, so it must be the last statement of a transaction: a
 * transaction that holds the trail then waits for no other lock.
 */
export async function appendAudit(
  { client, tenantId }: BareTransaction,
  drafts: readonly AuditDraft[],
  at: Date,
): Promise<void> {
  await client.query(auditStatement(tenantId, drafts, at));
}

export function auditStatement(tenantId: number, drafts: readonly AuditDraft[], at: Date): Statement {
  return {
    text: 'select append_audit($1, $2, $3, $4, $5, $6)',
    values: [
      drafts.map((draft) => entryText(draft, { tenantId, at })),
      drafts.map(() => at),
      drafts.map(({ action }) => action),
      drafts.map(({ actor }) => actorName(actor)),
      drafts.map(({ object }) => object.kind),
      drafts.map(({ object }) => object.id),
    ],
  };
}

export type AuditFilter = {
  from?: Date | undefined;
  to?: Date | undefined;
  /** `user:7`, `issuer:<issuer> <sub>`, or a kind or an issuer alone, such as `system`. */
  actor?: string | undefined;
  /** `user.change`, or a kind of object, such as `user`. */
  action?: string | undefined;
  /** `user:7`, or a kind alone. */
  object?: string | undefined;
};

export async function listAudit(
  transaction: TenantTransaction,
  filter: AuditFilter,
  { offset, limit, descending }: { offset: number; limit: number; descending: boolean },
): Promise<{ rows: ChainedEntry[]; total: number }> {
  const query = filtered(transaction, filter);
  const { total } = await query.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .select(columns)
    .orderBy('number', descending ? 'desc' : 'asc')
    .offset(offset)
    .limit(limit)
    .execute();
  return { rows: rows.map(toChained), total };
}

const columns = ['number', 'hash', 'entry'] as const;

function filtered(transaction: TenantTransaction, { from, to, actor, action, object }: AuditFilter) {
  let query = transaction.selectFrom('auditEntries').where('tenantId', '=', transaction.tenantId);
  if (from) query = query.where('at', '>=', from);
  if (to) query = query.where('at', '<', to);
  if (actor !== undefined) {
    query = query.where(({ eb, or }) =>
      or([
        eb('actor', '=', actor),
        ...[':', ' '].map((end) => sql<boolean>`starts_with(actor, ${`${actor}${end}`})`),
      ]),
    );
  }
  if (action !== undefined) {
    query = query.where(({ eb, or }) =>
      or([eb('action', '=', action), sql<boolean>`starts_with(action, ${`${action}.`})`]),
    );
  }
  if (object !== undefined) {
    const [kind = '', ...id] = object.split(':');
    query = query.where('objectKind', '=', kind);
    if (id.length > 0) query = query.where('objectId', '=', id.join(':'));
  }
  return query;
}

/** An entry with its stored text. */
export type StoredEntry = { readonly number: number; readonly hash: string; readonly text: string };

/** Up to `limit` entries between two numbers, in order. */
export async function readAudit(
  transaction: TenantTransaction,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<StoredEntry[]> {
  const rows = await transaction
    .selectFrom('auditEntries')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where('number', '>=', from)
    .where('number', '<=', to)
    .orderBy('number')
    .limit(limit)
    .execute();
  return rows.map(({ number, hash, entry }) => ({ number, hash: hash.toString('hex'), text: entry }));
}

export type AuditEnd = { readonly tenantId: number; readonly number: number; readonly hash: string };

/** The newest entry of the tenant; undefined if it has none. */
export async function auditEnd(transaction: TenantTransaction): Promise<AuditEnd | undefined> {
  const { tenantId } = transaction;
  const row = await transaction
    .selectFrom('auditEntries')
    .select(['number', 'hash'])
    .where('tenantId', '=', tenantId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { tenantId, number: row.number, hash: row.hash.toString('hex') };
}

/** The number of the oldest stored entry; undefined if there is none. */
export async function firstAuditNumber(transaction: TenantTransaction): Promise<number | undefined> {
  const row = await transaction
    .selectFrom('auditEntries')
    .select('number')
    .where('tenantId', '=', transaction.tenantId)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
  return row?.number;
}

/** The newest entry of each tenant. */
export async function lastAuditEntries(outside: TenantTransaction): Promise<AuditEnd[]> {
  const { rows } = await sql<{ tenantId: number; number: number; hash: Buffer }>`
    select tenant_id, number, hash from last_audit_entries()`.execute(outside);
  return rows.map(({ tenantId, number, hash }) => ({ tenantId, number, hash: hash.toString('hex') }));
}

/** Deletes up to `maxCount` of the oldest entries before this time, and returns the last one deleted. */
export async function deleteAuditEntries(
  transaction: TenantTransaction,
  before: Date,
  maxCount: number,
): Promise<{ number: number; hash: string } | undefined> {
  const { rows } = await sql<{ number: number; hash: Buffer }>`
    select number, hash from delete_audit_entries(${before}, ${maxCount})`.execute(transaction);
  const [row] = rows;
  return row && { number: row.number, hash: row.hash.toString('hex') };
}

function toChained({ number, hash, entry }: { number: number; hash: Buffer; entry: string }): ChainedEntry {
  return { number, hash: hash.toString('hex'), entry: JSON.parse(entry) as AuditEntry };
}
