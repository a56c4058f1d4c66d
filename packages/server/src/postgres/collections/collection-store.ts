import type { Insertable } from 'kysely';
import { type Kind, nextId } from '../next-id.ts';
import type { Tables } from '../tables.gen.ts';
import type { TenantTransaction } from '../tenant-transaction.ts';
import {
  asExampleTable,
  type CollectionReader,
  type CollectionTable,
  type Columns,
  createCollectionReader,
  type ExampleTable,
  type ReaderSettings,
  type RowOf,
} from './collection-reader.ts';

/** Tables whose rows have a version and the time of their last change. */
type VersionedTable = Exclude<CollectionTable, 'apiKeys'>;

/** Columns that the store sets itself. */
type OwnColumns = 'tenantId' | 'id' | 'version' | 'lastChange';

type StoreSettings<
  Table extends VersionedTable,
  Chosen extends Columns<Table>,
  Name extends string,
  Body,
> = ReaderSettings<Table, Chosen, Name> & {
  readonly kind: Kind;
  /** All other columns of the row that a body describes. */
  readonly toColumns: (body: Body, id: number) => Omit<Insertable<Tables[Table]>, OwnColumns>;
};

export type CollectionStore<Table extends CollectionTable, Row, Name extends string, Body> = CollectionReader<
  Table,
  Row,
  Name
> & {
  /** Returns the id of the new row. */
  insert(transaction: TenantTransaction, body: Body): Promise<number>;
  update(transaction: TenantTransaction, id: number, body: Body): Promise<void>;
  remove(transaction: TenantTransaction, id: number): Promise<void>;
};

/** The row type of a store. */
export type StoredRow<Store extends { find(...args: never[]): Promise<unknown> }> = NonNullable<
  Awaited<ReturnType<Store['find']>>
>;

/** Reads and writes the configured objects of one kind: one table, ids from `next_id`, a version that counts changes. */
export function createCollectionStore<
  Table extends VersionedTable,
  const Chosen extends Columns<Table>,
  Body,
  Name extends string = never,
>(
  settings: StoreSettings<Table, Chosen, Name, Body>,
): CollectionStore<Table, RowOf<Table, Chosen>, Name, Body> {
  const { kind } = settings;
  const table = asExampleTable(settings.table);
  const toColumns = settings.toColumns as (
    body: Body,
    id: number,
  ) => Omit<Insertable<Tables[ExampleTable]>, OwnColumns>;
  return {
    ...createCollectionReader(settings),
    insert: async (transaction, body) => {
      const { tenantId, now } = transaction;
      const id = await nextId(transaction, kind);
      const row = { tenantId, id, ...toColumns(body, id), lastChange: now };
      await transaction.insertInto(table).values(row).execute();
      return id;
    },
    update: async (transaction, id, body) => {
      await transaction
        .updateTable(table)
        .set(({ eb }) => ({
          ...toColumns(body, id),
          version: eb('version', '+', 1),
          lastChange: transaction.now,
        }))
        .where('tenantId', '=', transaction.tenantId)
        .where('id', '=', id)
        .execute();
    },
    remove: async (transaction, id) => {
      await transaction
        .deleteFrom(table)
        .where('tenantId', '=', transaction.tenantId)
        .where('id', '=', id)
        .execute();
    },
  };
}
