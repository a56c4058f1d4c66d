import { sql } from 'kysely';
import { unknownReference } from '../../common/problem.ts';
import type { TenantTransaction } from '../tenant-transaction.ts';
import { isVisible, type StationScope, type StationTable } from './visibility.ts';

/** Tables whose rows other rows name by id. */
export type Referable = StationTable | 'callGroupGroupings';

/** A member of a request that names a row by id. */
export type Reference = { pointer: string; id: number };

/** The rows that a caller may name. */
export type NamingScope = StationScope & {
  /** Ids that the changed row names already: they stay allowed, so that a row can be sent back as it was read. */
  kept?: readonly (number | null)[];
};

/** A reference that may be left out: 0 names nothing. */
export function optionalReference(pointer: string, id: number | undefined): Reference[] {
  return id === undefined || id === 0 ? [] : [{ pointer, id }];
}

/** One reference for each place of a list: `/userIds/0`, `/userIds/1` … */
export function listReferences(pointer: string, ids: readonly number[]): Reference[] {
  return ids.map((id, index) => ({ pointer: `${pointer}/${index}`, id }));
}

/**
 * Returns the ids without a row that the caller may see. Locks the rows that exist, so that they cannot be deleted before
 * the transaction ends, even where no foreign key protects them.
 */
export async function missingIds(
  transaction: TenantTransaction,
  table: Referable,
  { ids, stationIds, kept = [] }: NamingScope & { ids: readonly number[] },
): Promise<ReadonlySet<number>> {
  const missing = new Set(ids);
  if (missing.size === 0) return missing;
  const known = kept.filter((id) => id !== null);
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)}
    where tenant_id = ${transaction.tenantId} and id = any(${[...missing]}::bigint[])
      and (${isVisible(table, stationIds)} or id = any(${known}::bigint[]))
    order by id for key share`.execute(transaction);
  for (const { id } of rows) missing.delete(id);
  return missing;
}

/**
 * Refuses a request that names a row which does not exist; the problem names the member. A row that the caller may not
 * see is treated as one that does not exist.
 */
export async function requireReferences(
  transaction: TenantTransaction,
  table: Referable,
  { references, ...scope }: NamingScope & { references: readonly Reference[] },
): Promise<void> {
  const ids = references.map(({ id }) => id);
  const missing = await missingIds(transaction, table, { ...scope, ids });
  const unknown = references.find(({ id }) => missing.has(id));
  if (unknown) throw unknownReference(unknown.pointer, unknown.id);
}

type NamedByFilter = Partial<Record<Referable, number | undefined>>;

/**
 * The stations whose rows a list shows: the caller's, or none if a filter names a row that the caller may not see. So the
 * answer is the same as for a row that does not exist.
 */
export async function stationsFor(
  transaction: TenantTransaction,
  stationIds: readonly number[] | undefined,
  named: NamedByFilter,
): Promise<readonly number[] | undefined> {
  return (await seesAll(transaction, stationIds, named)) ? stationIds : [];
}

/** Whether the caller may see every row that a filter names; absent ids name nothing. */
export async function seesAll(
  transaction: TenantTransaction,
  stationIds: readonly number[] | undefined,
  named: NamedByFilter,
): Promise<boolean> {
  if (stationIds === undefined) return true;
  for (const [table, id] of Object.entries(named) as [Referable, number | undefined][]) {
    if (id === undefined) continue;
    const { rows } = await sql`
      select from ${sql.table(table)}
      where tenant_id = ${transaction.tenantId} and id = ${id} and ${isVisible(table, stationIds)}`.execute(
      transaction,
    );
    if (rows.length === 0) return false;
  }
  return true;
}
