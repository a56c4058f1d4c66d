import type { Logger } from 'pino';
import { byTenant, type Claim } from './lease.store.ts';

type Work<Result> = (tenantId: number, claims: readonly Claim[]) => Promise<Result[]>;

/**
 * Works on the claims of each tenant, the tenants in parallel. If a tenant's batch fails, its claims are tried one by one,
 * so that one bad claim does not keep the others from being worked on. A claim that fails alone is tried again when its
 * lease ends.
 */
export async function forEachTenantClaims<Result>(
  claims: readonly Claim[],
  log: Logger,
  work: Work<Result>,
): Promise<Result[]> {
  const attempt = async (tenantId: number, some: readonly Claim[]): Promise<Result[]> => {
    try {
      return await work(tenantId, some);
    } catch (error) {
      log.error({ err: error, tenantId, claims: some.length }, 'claimed work failed');
      if (some.length === 1) return [];
      const done: Result[] = [];
      for (const one of some) done.push(...(await attempt(tenantId, [one])));
      return done;
    }
  };
  const perTenant = [...byTenant(claims)].map(([tenantId, some]) => attempt(tenantId, some));
  return (await Promise.all(perTenant)).flat();
}

/** Works for all tenants in parallel. A tenant that hangs or fails does not affect the others. */
export async function forEachTenantInParallel<One, Result>(
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
