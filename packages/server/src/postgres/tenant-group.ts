import type pg from 'pg';
import type { Database } from './database.ts';
import { awaitPipelined, sendInOneWrite, socketOf } from './pipeline.ts';
import {
  type AlarmTransaction,
  abandon,
  begin,
  commit,
  connect,
  openTransaction,
  problemOf,
  type TenantTransaction,
  timesOf,
} from './tenant-transaction.ts';

/** A tenant whose lock is held for longer must not keep the others of its transaction waiting. */
const maxWaitMs = 1_000;

/**
 * As `inTenantForAlarms` for several tenants in one transaction: their statements share the round trips and the commit.
 * The tenants are given in rising order, so that two such transactions lock in the same order and cannot deadlock. If the
 * work of one tenant fails, nothing is stored for any of them.
 */
export async function inTenantsForAlarms<Result>(
  database: Database,
  tenantIds: readonly number[],
  work: (transaction: AlarmTransaction, index: number) => Promise<Result>,
): Promise<Result[]> {
  const client = await connect(database.alarmPool);
  // Writers of alarms update the counters, which the database refuses for a tenant that is served elsewhere.
  const enter = tenantSwitch(client, (tenantId) => `set local tocsin.tenant = '${tenantId}'`);
  const end = sharedCommit(client, tenantIds.length);
  const gather = gatherWrites(client);
  const open = (tenantId: number): AlarmTransaction => ({
    client: scopedClient(client, () => enter(tenantId)),
    tenantId,
    timeOf: (databaseTime) => database.clock?.() ?? databaseTime,
    commit: end.commit,
    sendInOneWrite: gather,
  });
  try {
    const sent = sendInOneWrite(client, () => [
      client.query(`begin; set local lock_timeout = '${maxWaitMs}'`).then(() => undefined),
      ...tenantIds.map((tenantId, index) => end.failWith(work(open(tenantId), index))),
    ]);
    const [, ...results] = await awaitPipelined(sent);
    client.release();
    return results as Result[];
  } catch (error) {
    await abandon(client, error);
    throw problemOf(error, end.isCommitting());
  }
}

/**
 * As `inTenant` for several tenants in one transaction, whose works run at the same time. The tenants of works that change
 * anything are given in rising order.
 */
export async function inTenants<Result>(
  database: Database,
  tenantIds: readonly number[],
  work: (transaction: TenantTransaction, index: number) => Promise<Result>,
): Promise<Result[]> {
  const client = await connect(database.pool);
  let isCommitting = false;
  try {
    const times = timesOf(database.clock, await begin(client, 0, ''));
    const enter = tenantSwitch(client, (tenantId) => `select enter_tenant(${tenantId})`);
    const results = await awaitPipelined(
      tenantIds.map((tenantId, index) => {
        const scoped = scopedClient(client, () => enter(tenantId));
        return work(openTransaction(scoped, tenantId, times), index);
      }),
    );
    isCommitting = true;
    await commit(client);
    client.release();
    return results;
  } catch (error) {
    await abandon(client, error);
    throw problemOf(error, isCommitting);
  }
}

/** Sends the statements of all works that continue with the same answers of PostgreSQL in one write. */
function gatherWrites(client: pg.PoolClient): AlarmTransaction['sendInOneWrite'] {
  const socket = socketOf(client);
  let isGathering = false;
  return (send) => {
    if (!isGathering) {
      isGathering = true;
      socket.cork();
      setImmediate(() => {
        isGathering = false;
        socket.uncork();
      });
    }
    return send();
  };
}

/** Sends the tenant of the next statement, unless the statement before had the same. */
function tenantSwitch(
  client: pg.PoolClient,
  statementOf: (tenantId: number) => string,
): (tenantId: number) => void {
  let current = 0;
  return (tenantId) => {
    if (current === tenantId) return;
    current = tenantId;
    // If it fails, PostgreSQL refuses every statement behind it.
    client.query(statementOf(Math.trunc(tenantId))).catch(() => undefined);
  };
}

/**
 * The connection as one tenant uses it. The works of several tenants interleave, so each statement is sent behind that of
 * its own tenant: the connection executes statements in the order of sending.
 */
function scopedClient(client: pg.PoolClient, enter: () => void): pg.PoolClient {
  const query = (...statement: Parameters<pg.PoolClient['query']>) => {
    enter();
    return client.query(...statement);
  };
  return Object.assign(Object.create(client) as pg.PoolClient, { query });
}

type SharedCommit = {
  /** Resolves with the commit of all. */
  commit(): Promise<void>;
  /** Passes on the work of one tenant. If it fails, the commit of the others fails, because it is never sent. */
  failWith<Result>(work: Promise<Result>): Promise<Result>;
  isCommitting(): boolean;
};

/** Commits when every tenant has asked for it. */
function sharedCommit(client: pg.PoolClient, tenants: number): SharedCommit {
  const committed = Promise.withResolvers<void>();
  // Each work waits for it, and reports the failure.
  committed.promise.catch(() => undefined);
  let missing = tenants;
  return {
    commit: () => {
      missing -= 1;
      if (missing === 0) commit(client).then(committed.resolve, committed.reject);
      return committed.promise;
    },
    failWith: (work) =>
      work.catch((error: unknown) => {
        committed.reject(error);
        throw error;
      }),
    isCommitting: () => missing === 0,
  };
}
