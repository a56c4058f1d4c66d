import type { Visit } from '../http/collection.routes.ts';
import type { PageRequest } from '../http/page.ts';
import { type Principal, requireStation } from '../http/principal.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** Stations whose rows are wanted, besides those that belong to all; absent means every station. */
export type StationScope = { stationIds: Principal['stationIds'] };

/** How things that belong to one station, or to all of them, are kept and shown. */
export type StationKeeping<Row, Item, Body, Query> = {
  list: (
    transaction: TenantTransaction,
    query: Query & StationScope,
    page: PageRequest,
  ) => Promise<{ rows: Row[]; total: number }>;
  find: (
    transaction: TenantTransaction,
    id: number,
    options: StationScope & { forUpdate: boolean },
  ) => Promise<Row | undefined>;
  insert: (transaction: TenantTransaction, body: Body) => Promise<number>;
  update: (transaction: TenantTransaction, id: number, body: Body) => Promise<void>;
  remove: (transaction: TenantTransaction, id: number) => Promise<void>;
  toWire: (row: Row) => Item;
  /** Refuses a body that names what the caller may not see or contradicts itself; `before` is absent for a new thing. */
  check: (visit: Visit, body: Body, before: Row | undefined) => Promise<void>;
};

/**
 * The rule of stations, once for all that obey it: a principal bound to stations sees what is theirs and what
 * belongs to all stations, and changes only what is theirs, before and after the change.
 */
export function withinStations<
  Row extends { stationId: number | null; version: number },
  Item,
  Body extends { stationId?: number },
  Query extends object,
>({ list, find, insert, update, remove, toWire, check }: StationKeeping<Row, Item, Body, Query>) {
  const requireOwn = async ({ transaction, principal }: Visit, id: number) => {
    const row = await find(transaction, id, { stationIds: undefined, forUpdate: false });
    requireStation(principal, row?.stationId ?? null);
    return row;
  };
  return {
    list: async ({ transaction, principal }: Visit, query: Query, page: PageRequest) => {
      const { stationIds } = principal;
      const { rows, total } = await list(transaction, { ...query, stationIds }, page);
      return { items: rows.map(toWire), total };
    },
    find: async ({ transaction, principal }: Visit, id: number, { forUpdate }: { forUpdate: boolean }) => {
      const row = await find(transaction, id, { stationIds: principal.stationIds, forUpdate });
      return row && { item: toWire(row), version: row.version };
    },
    create: async ({ transaction, principal }: Visit, body: Body) => {
      requireStation(principal, body.stationId || null);
      await check({ transaction, principal }, body, undefined);
      return insert(transaction, body);
    },
    replace: async (visit: Visit, id: number, body: Body) => {
      const before = await requireOwn(visit, id);
      // An absent station stays: a client that does not know the member must not open the thing to all stations.
      const { stationId = before?.stationId ?? 0 } = body;
      requireStation(visit.principal, stationId || null);
      await check(visit, { ...body, stationId }, before);
      return update(visit.transaction, id, { ...body, stationId });
    },
    remove: async (visit: Visit, id: number) => {
      await requireOwn(visit, id);
      return remove(visit.transaction, id);
    },
  };
}
