import type { SelectExpression, Selection } from 'kysely';
import type { Tables } from '../tables.gen.ts';
import type { TenantTransaction } from '../tenant-transaction.ts';
import { type LockedKind, lockWrites } from '../write-lock.ts';
import { equalsIfGiven } from './filters.ts';
import { type PageBounds, type PageOfRows, readPage } from './read-page.ts';
import { searchMatches } from './search.ts';
import { isVisible, type StationScope, type StationTable, type TenantWideTable } from './visibility.ts';

/** Tables of configured objects: each row has a tenant, an id and a search text. */
export type CollectionTable = StationTable | TenantWideTable;

export type Columns<Table extends CollectionTable> = readonly SelectExpression<Tables, Table>[];

/** A row as the chosen columns describe it. */
export type RowOf<Table extends CollectionTable, Chosen extends Columns<Table>> = Selection<
  Tables,
  Table,
  Chosen[number]
>;

/** The stations of the caller, required wherever rows belong to stations. */
export type Scope<Table extends CollectionTable> = Table extends StationTable
  ? StationScope
  : Partial<StationScope>;

type Filters<Name extends string> = { [Filter in Name]?: number | string | undefined };

export type ReaderSettings<
  Table extends CollectionTable,
  Chosen extends Columns<Table>,
  Name extends string,
> = {
  readonly table: Table;
  readonly columns: Chosen;
  /** Columns that a list can be filtered by; the filter has the name of the column. */
  readonly filters?: readonly (Name & keyof Tables[Table])[];
  /** Taken before a row is locked for a change, if changes are checked across several rows. */
  readonly writeLock?: LockedKind;
};

export type CollectionReader<Table extends CollectionTable, Row, Name extends string> = {
  list(
    transaction: TenantTransaction,
    query: { search?: string | undefined } & Filters<Name> & Scope<Table>,
    page: PageBounds,
  ): Promise<PageOfRows<Row>>;
  /** Undefined if the row does not exist or is not visible. Locks the row if `forUpdate` is set. */
  find(
    transaction: TenantTransaction,
    id: number,
    options: { forUpdate: boolean } & Scope<Table>,
  ): Promise<Row | undefined>;
};

/** Lists and finds the rows of one table: of the tenant, and as far as the caller may see them. */
export function createCollectionReader<
  Table extends CollectionTable,
  const Chosen extends Columns<Table>,
  Name extends string = never,
>({
  table,
  columns,
  filters = [],
  writeLock,
}: ReaderSettings<Table, Chosen, Name>): CollectionReader<Table, RowOf<Table, Chosen>, Name> {
  type Row = RowOf<Table, Chosen>;
  const visibleRows = (transaction: TenantTransaction, scope: Partial<StationScope>) =>
    transaction
      .selectFrom(asExampleTable(table))
      .select(columns as Columns<ExampleTable>)
      .where('tenantId', '=', transaction.tenantId)
      .where(isVisible(table, scope.stationIds));
  return {
    list: (transaction, query, page) => {
      const rows = filters.reduce(
        (filtered, name) => filtered.where(equalsIfGiven(name, query[name])),
        visibleRows(transaction, query).where(searchMatches('searchText', query.search)),
      );
      return readPage(rows, page) as Promise<PageOfRows<unknown>> as Promise<PageOfRows<Row>>;
    },
    find: async (transaction, id, options) => {
      const { forUpdate } = options;
      if (forUpdate && writeLock !== undefined) await lockWrites(transaction, writeLock);
      const query = visibleRows(transaction, options).where('id', '=', id);
      const row: unknown = await (forUpdate ? query.forUpdate() : query).executeTakeFirst();
      return row as Row | undefined;
    },
  };
}

/** A table with the columns that all of them have. */
export type ExampleTable = 'dataServers';

/**
 * Kysely cannot check a query on a table that is a type parameter. Within the store it is checked against one example,
 * and uses the common columns only; callers get the types of their own table.
 */
export function asExampleTable(table: CollectionTable): ExampleTable {
  return table as ExampleTable;
}
