import { type RawBuilder, sql } from 'kysely';
import { unknownReference } from '../problem.ts';
import { stationInScope, userInScope } from './filters.ts';
import type { Tables } from './tables.gen.ts';
import type { TenantTransaction } from './tenant-transaction.ts';

/** Tables whose rows others name by id. */
export type Referable = Extract<
  keyof Tables,
  'stations' | 'dataServers' | 'scenarios' | 'tagGroups' | 'users' | 'callGroups' | 'callGroupGroupings'
>;

/** A member of a request that names a row by id. */
export type Reference = { pointer: string; id: number };

/** Which rows may be named. */
export type NamingScope = {
  /** Stations whose rows are visible to the caller, besides those that belong to all; absent means every station. */
  stationIds: readonly number[] | undefined;
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
 * The ids that no row has which the caller may see. The rows that exist stay until the transaction ends: nobody can
 * delete one in the meantime, not even where no foreign key guards it.
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

/** Whether a caller with these stations may see a row of the table. */
function isVisible(table: Referable, stationIds: readonly number[] | undefined): RawBuilder<boolean> {
  switch (table) {
    case 'callGroupGroupings':
      return sql<boolean>`true`;
    case 'stations':
      return stationInScope('id', stationIds);
    case 'users':
      return userInScope(stationIds);
    case 'callGroups':
    case 'dataServers':
    case 'scenarios':
    case 'tagGroups':
      return stationInScope('stationId', stationIds);
  }
}

/**
 * Refuses a request that names a row which does not exist, and says in which member. A row that the caller may not see
 * is answered in the same way.
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
 * The stations of which a list shows rows: those of the caller, or none when a filter names a row that the caller may
 * not see, as with a row that does not exist.
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
