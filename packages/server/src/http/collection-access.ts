import type { PageBounds, PageOfRows } from '../postgres/collections/read-page.ts';
import type { StationScope } from '../postgres/collections/visibility.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { RequestContext } from './collection.ts';
import { requireStation, requireWholeTenant } from './principal.ts';

/** The store of a collection, and the form of its rows on the wire. */
type Access<Row, Item, Body, Query> = {
  list(
    transaction: TenantTransaction,
    query: Query & StationScope,
    page: PageBounds,
  ): Promise<PageOfRows<Row>>;
  find(
    transaction: TenantTransaction,
    id: number,
    options: StationScope & { forUpdate: boolean },
  ): Promise<Row | undefined>;
  insert(transaction: TenantTransaction, body: Body): Promise<number>;
  update(transaction: TenantTransaction, id: number, body: Body): Promise<void>;
  remove(transaction: TenantTransaction, id: number): Promise<void>;
  toWire(row: Row): Item;
  /** Refuses a body with unknown references or contradictions; `before` is undefined for a new object. */
  check(context: RequestContext, body: Body, before: Row | undefined): Promise<void>;
};

/**
 * Limits a collection to the stations of the caller. Users limited to stations see the objects of their stations and
 * those of all stations, and change only objects that belong to one of their stations before and after the change.
 */
export function stationCollection<
  Row extends { stationId: number | null; version: number },
  Item,
  Body extends { stationId?: number },
  Query extends object,
>(access: Access<Row, Item, Body, Query>) {
  const { find, insert, update, remove, check } = access;
  const requireOwn = async ({ transaction, principal }: RequestContext, id: number) => {
    const row = await find(transaction, id, { stationIds: undefined, forUpdate: false });
    requireStation(principal, row?.stationId ?? null);
    return row;
  };
  return {
    ...visibleItems(access),
    create: async (context: RequestContext, body: Body) => {
      requireStation(context.principal, body.stationId || null);
      await check(context, body, undefined);
      return insert(context.transaction, body);
    },
    replace: async (context: RequestContext, id: number, body: Body) => {
      const before = await requireOwn(context, id);
      // By default the station stays: a client that does not send the member must not open the object to all stations.
      const { stationId = before?.stationId ?? 0 } = body;
      requireStation(context.principal, stationId || null);
      await check(context, { ...body, stationId }, before);
      return update(context.transaction, id, { ...body, stationId });
    },
    remove: async (context: RequestContext, id: number) => {
      await requireOwn(context, id);
      return remove(context.transaction, id);
    },
  };
}

/** Objects of the whole tenant: users limited to stations read those that they may see, and change none. */
export function tenantCollection<Row extends { version: number }, Item, Body, Query extends object>({
  check,
  ...access
}: Omit<Access<Row, Item, Body, Query>, 'check'> & {
  /** Refuses a body with unknown references or contradictions; `id` is 0 for a new object. */
  check?(transaction: TenantTransaction, body: Body, id: number): Promise<void>;
}) {
  const { insert, update, remove } = access;
  return {
    ...visibleItems(access),
    create: async ({ transaction, principal }: RequestContext, body: Body) => {
      requireWholeTenant(principal);
      await check?.(transaction, body, 0);
      return insert(transaction, body);
    },
    replace: async ({ transaction, principal }: RequestContext, id: number, body: Body) => {
      requireWholeTenant(principal);
      await check?.(transaction, body, id);
      return update(transaction, id, body);
    },
    remove: async ({ transaction, principal }: RequestContext, id: number) => {
      requireWholeTenant(principal);
      return remove(transaction, id);
    },
  };
}

/** Lists and finds the items that the caller may see. */
export function visibleItems<Row extends { version: number }, Item, Query extends object>({
  list,
  find,
  toWire,
}: Pick<Access<Row, Item, never, Query>, 'list' | 'find' | 'toWire'>) {
  return {
    list: async (
      { transaction, principal: { stationIds } }: RequestContext,
      query: Query,
      page: PageBounds,
    ) => {
      const { rows, total } = await list(transaction, { ...query, stationIds }, page);
      return { items: rows.map(toWire), total };
    },
    find: async (
      { transaction, principal: { stationIds } }: RequestContext,
      id: number,
      { forUpdate }: { forUpdate: boolean },
    ) => {
      const row = await find(transaction, id, { stationIds, forUpdate });
      return row && { item: toWire(row), version: row.version };
    },
  };
}
