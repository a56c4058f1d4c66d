import type { Logger } from 'pino';
import { byTenant, type Taken } from './lease.store.ts';

type Work<Result> = (tenantId: number, taken: readonly Taken[]) => Promise<Result[]>;

/**
 * Does the work on what was taken, tenant by tenant and side by side. Where it fails it is done one by one: what cannot
 * be worked on keeps nobody else from being called. It is left to its lease, and tried again when that ends.
 */
export async function workThrough<Result>(
  taken: readonly Taken[],
  log: Logger,
  work: Work<Result>,
): Promise<Result[]> {
  const attempt = async (tenantId: number, some: readonly Taken[]): Promise<Result[]> => {
    try {
      return await work(tenantId, some);
    } catch (error) {
      log.error({ err: error, tenantId, taken: some.length }, 'what was taken up could not be worked on');
      if (some.length === 1) return [];
      const done: Result[] = [];
      for (const one of some) done.push(...(await attempt(tenantId, [one])));
      return done;
    }
  };
  const perTenant = [...byTenant(taken)].map(([tenantId, some]) => attempt(tenantId, some));
  return (await Promise.all(perTenant)).flat();
}

/** Does something for each tenant, side by side: one that hangs or fails keeps none of the others. */
export async function eachTenant<One, Result>(
  all: ReadonlyMap<number, readonly One[]>,
  log: Logger,
  work: (tenantId: number, some: readonly One[]) => Promise<Result>,
): Promise<Result[]> {
  const done = await Promise.all(
    [...all].map(async ([tenantId, some]) => {
      try {
        return [await work(tenantId, some)];
      } catch (error) {
        log.error({ err: error, tenantId }, 'work for a tenant failed');
        return [];
      }
    }),
  );
  return done.flat();
}
