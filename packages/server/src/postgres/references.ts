import { sql } from 'kysely';
import { unknownReference } from '../problem.ts';
import type { Tables } from './tables.gen.ts';
import type { TenantTransaction } from './tenant-transaction.ts';

/** Tables whose rows others name by id. */
export type Referable = Extract<
  keyof Tables,
  'stations' | 'dataServers' | 'scenarios' | 'tagGroups' | 'users' | 'callGroups' | 'callGroupGroupings'
>;

/** A member of a request that names a row by id. */
export type Reference = { pointer: string; id: number };

/** A reference that may be left out: 0 names nothing. */
export function optionalReference(pointer: string, id: number | undefined): Reference[] {
  return id === undefined || id === 0 ? [] : [{ pointer, id }];
}

/** One reference for each place of a list: `/userIds/0`, `/userIds/1` … */
export function listReferences(pointer: string, ids: readonly number[]): Reference[] {
  return ids.map((id, index) => ({ pointer: `${pointer}/${index}`, id }));
}

/**
 * The ids that no row of the tenant has. The rows that exist stay until the transaction ends: nobody can delete
 * one in the meantime, not even where no foreign key guards it.
 */
export async function missingIds(
  transaction: TenantTransaction,
  table: Referable,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const missing = new Set(ids);
  if (missing.size === 0) return missing;
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)}
    where tenant_id = ${transaction.tenantId} and id = any(${[...missing]}::bigint[])
    order by id for key share`.execute(transaction);
  for (const { id } of rows) missing.delete(id);
  return missing;
}

/** Refuses a request that names a row which does not exist, and says in which member. */
export async function requireReferences(
  transaction: TenantTransaction,
  table: Referable,
  references: readonly Reference[],
): Promise<void> {
  const missing = await missingIds(
    transaction,
    table,
    references.map(({ id }) => id),
  );
  const unknown = references.find(({ id }) => missing.has(id));
  if (unknown) throw unknownReference(unknown.pointer, unknown.id);
}
