import { coalesceReads } from './coalesce-reads.ts';
import type { Database } from './database.ts';
import { inTenants } from './tenant-group.ts';
import { inTenant, type TenantTransaction } from './tenant-transaction.ts';

type Outcome<Result> = { result: Result } | { error: unknown };

const maxBatchSize = 64;

/**
 * Combines short work in many tenants: what arrives while a transaction runs shares the next one. If a shared transaction
 * fails, each work has one of its own, so that it fails alone. After a transaction that is not full, the next one begins
 * `pauseMs` later.
 */
export function coalesceTenants<Item extends { readonly tenantId: number }, Result>(
  database: Database,
  work: (transaction: TenantTransaction, item: Item) => Promise<Result>,
  { pauseMs = 0 }: { pauseMs?: number } = {},
): (item: Item) => Promise<Result> {
  const alone = (item: Item): Promise<Outcome<Result>> =>
    inTenant(database, item.tenantId, (transaction) => work(transaction, item)).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
  const together = async (items: readonly Item[]): Promise<Outcome<Result>[]> => {
    const order = items.map((item, place) => ({ item, place })).toSorted(byTenant);
    const tenantIds = order.map(({ item }) => item.tenantId);
    const results = await inTenants(database, tenantIds, async (transaction, index) => ({
      result: await work(transaction, (order[index] as (typeof order)[number]).item),
    }));
    return items.map((_, place) => results[order.findIndex((one) => one.place === place)] as Outcome<Result>);
  };
  const run = coalesceReads(
    async (items: readonly Item[]): Promise<Outcome<Result>[]> => {
      const [only] = items;
      if (only && items.length === 1) return [await alone(only)];
      return together(items).catch(() => Promise.all(items.map(alone)));
    },
    { maxBatchSize, pauseMs },
  );
  return async (item) => {
    const outcome = await run(item);
    if ('error' in outcome) throw outcome.error;
    return outcome.result;
  };
}

const byTenant = (one: { item: { tenantId: number } }, other: { item: { tenantId: number } }) =>
  one.item.tenantId - other.item.tenantId;
