import {
  CamelCasePlugin,
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type pg from 'pg';
import { ProblemError } from '../common/problem.ts';
import { type Clock, type Database, errorCode, isConnectionFailure, readOnlyServer } from './database.ts';
import { awaitPipelined, inFailedTransaction, sendInOneWrite } from './pipeline.ts';
import type { Tables } from './tables.gen.ts';

/** A transaction that sees the rows of one tenant only, and the time of its start. */
export type TenantTransaction = Kysely<Tables> & {
  readonly tenantId: number;
  readonly now: Date;
  /** A time read from the database later in the transaction; in tests the time of the test's clock. */
  timeOf(databaseTime: Date): Date;
  /** The connection itself, for the few statements that are written by hand for speed. */
  readonly client: pg.PoolClient;
};

/** Runs `work` in a transaction of the tenant. An error rolls back all of it. */
export function inTenant<Result>(
  database: Database,
  tenantId: number,
  work: (transaction: TenantTransaction) => Promise<Result>,
): Promise<Result> {
  return transact(database, { tenantId, mode: '' }, work);
}

/** The part of a transaction that hand-written statements need. */
export type BareTransaction = Pick<TenantTransaction, 'client' | 'tenantId'>;

/** A transaction on the connections reserved for writing alarms. */
export type AlarmTransaction = BareTransaction & {
  timeOf: TenantTransaction['timeOf'];
  /** Call it right after the last statement, without waiting for that. */
  commit(): Promise<void>;
  /** Sends all statements of `send` in one write to the socket. */
  sendInOneWrite<Result>(send: () => Result): Result;
};

/**
 * As `inTenant`, in as few round trips as possible: `work` pipelines its first statements with the begin, and its last
 * ones with the commit.
 */
export async function inTenantForAlarms<Result>(
  database: Database,
  tenantId: number,
  work: (transaction: AlarmTransaction) => Promise<Result>,
): Promise<Result> {
  const client = await connect(database.alarmPool);
  let isCommitting = false;
  const transaction: AlarmTransaction = {
    client,
    tenantId,
    timeOf: (databaseTime) => database.clock?.() ?? databaseTime,
    commit: () => {
      isCommitting = true;
      return commit(client);
    },
    sendInOneWrite: (send) => sendInOneWrite(client, send),
  };
  try {
    const sent = sendInOneWrite(client, () => [beginQuickly(client, tenantId), work(transaction)] as const);
    const [, result] = await awaitPipelined(sent);
    client.release();
    return result;
  } catch (error) {
    await abandon(client, error);
    throw problemOf(error, isCommitting);
  }
}

/** Runs `work` on one snapshot of the tenant, so that a page agrees with its total. */
export function readTenant<Result>(
  database: Database,
  tenantId: number,
  work: (transaction: TenantTransaction) => Promise<Result>,
): Promise<Result> {
  return transact(database, { tenantId, mode: 'isolation level repeatable read read only' }, work);
}

/** Runs `work` without a tenant: only tables of the installation and functions of the cross-tenant role return rows. */
export function outsideTenants<Result>(
  database: Database,
  work: (transaction: TenantTransaction) => Promise<Result>,
): Promise<Result> {
  return transact(database, { tenantId: 0, mode: '' }, work);
}

/** Continues, as the tenant, a transaction that began without one: used to create a tenant. */
export async function enterTenant(
  transaction: TenantTransaction,
  tenantId: number,
): Promise<TenantTransaction> {
  await transaction.client.query('select enter_tenant($1)', [tenantId]);
  return openTransaction(transaction.client, tenantId, transaction);
}

async function transact<Result>(
  database: Database,
  { tenantId, mode }: { tenantId: number; mode: string },
  work: (transaction: TenantTransaction) => Promise<Result>,
): Promise<Result> {
  const client = await connect(database.pool);
  let isCommitting = false;
  try {
    const now = await begin(client, tenantId, mode);
    const transaction = openTransaction(client, tenantId, timesOf(database.clock, now));
    const result = await work(transaction);
    isCommitting = true;
    await commit(client);
    client.release();
    return result;
  } catch (error) {
    await abandon(client, error);
    throw problemOf(error, isCommitting);
  }
}

/** The error to throw for a failed transaction: a problem if the caller can act on it. */
export function problemOf(error: unknown, isCommitting: boolean): unknown {
  if (isLockConflict(error)) {
    return new ProblemError('unavailable', 'Others were changing the same; send it again', {
      headers: { 'retry-after': '1' },
      cause: error,
    });
  }
  if (errorCode(error) === cancelled) {
    return new ProblemError('unavailable', 'The database took too long', {
      headers: { 'retry-after': '2' },
      cause: error,
    });
  }
  if (errorCode(error) === notServedHere) return tenantElsewhere(error);
  if (!isConnectionFailure(error)) return error;
  const wasRefused = errorCode(error) === readOnlyServer;
  const code = isCommitting && !wasRefused ? 'outcome-unknown' : 'unavailable';
  return new ProblemError(code, 'The database did not answer', {
    headers: { 'retry-after': '2' },
    cause: error,
  });
}

/** A deadlock or a lock timeout: the transaction is certainly rolled back, and can be repeated. */
export function isLockConflict(error: unknown): boolean {
  const code = errorCode(error instanceof ProblemError ? error.cause : error);
  return code === '40P01' || code === '55P03';
}

/** Of `enter_tenant`: the tenant has moved to another cell, or has not arrived yet. */
const notServedHere = 'TM001';

/** Soon the edge leads the client to the cell that serves the tenant. */
function tenantElsewhere(cause: unknown): ProblemError {
  return new ProblemError('unavailable', 'This tenant is moving to another cell; send it again', {
    headers: { 'retry-after': '1' },
    cause,
  });
}

/** A statement that exceeded `statement_timeout` or was cancelled: it is certainly rolled back. */
const cancelled = '57014';

export async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new ProblemError('unavailable', 'The database cannot be reached', {
      headers: { 'retry-after': '2' },
      cause: error,
    });
  }
}

/** Begins, sets the tenant for this transaction only, and reads the time, in one round trip. */
export async function begin(client: pg.PoolClient, tenantId: number, mode: string): Promise<Date> {
  const time =
    tenantId === 0
      ? "clock_timestamp() as now, set_config('tocsin.tenant', '', true)"
      : `enter_tenant(${Math.trunc(tenantId)}) as now`;
  const results = (await client.query(`begin ${mode}; select ${time}`)) as unknown as pg.QueryResult<{
    now: Date;
  }>[];
  const now = results[1]?.rows[0]?.now;
  if (!now) throw new Error('the database returned no time');
  return now;
}

/** As `begin`, in utility statements: PostgreSQL plans nothing and returns no row. */
async function beginQuickly(client: pg.PoolClient, tenantId: number): Promise<void> {
  await client.query(`begin; set local tocsin.tenant = '${Math.trunc(tenantId)}'`);
}

/**
 * A commit that is cancelled while it waits for a standby succeeds with a warning, although the row is only local. That
 * must not be answered with 200.
 */
export async function commit(client: pg.PoolClient): Promise<void> {
  let warning: string | undefined;
  const onNotice = (notice: { code?: string | undefined; message?: string | undefined }) => {
    if (notice.code === '01000') warning = notice.message;
  };
  client.on('notice', onNotice);
  try {
    const { command } = await client.query('commit');
    // PostgreSQL answers the commit of a failed transaction without an error. The failed statement has reported it.
    if (command === 'ROLLBACK')
      throw Object.assign(new Error('the transaction was rolled back'), { code: inFailedTransaction });
  } finally {
    client.off('notice', onNotice);
  }
  if (warning !== undefined) {
    throw new ProblemError('outcome-unknown', 'The standby did not confirm', {
      headers: { 'retry-after': '2' },
    });
  }
}

export async function abandon(client: pg.PoolClient, error: unknown): Promise<void> {
  if (isConnectionFailure(error)) {
    client.release(true);
    return;
  }
  try {
    await client.query('rollback');
    client.release();
  } catch {
    client.release(true);
  }
}

const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];

type Times = Pick<TenantTransaction, 'now' | 'timeOf'>;

export function timesOf(clock: Clock | undefined, now: Date): Times {
  if (clock === undefined) return { now, timeOf: (databaseTime) => databaseTime };
  return { now: clock(), timeOf: clock };
}

export function openTransaction(
  client: pg.PoolClient,
  tenantId: number,
  { now, timeOf }: Times,
): TenantTransaction {
  const connection: DatabaseConnection = {
    executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
      const { rows, rowCount } = await client.query(sql, [...parameters]);
      return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
    },
    streamQuery: () => {
      throw new Error('streaming is not used');
    },
  };
  const kysely = new Kysely<Tables>({ dialect: dialectOf(connection), plugins });
  return Object.assign(kysely, { tenantId, now, timeOf, client });
}

/** Kysely on a given connection: it compiles and runs queries, and neither begins nor ends transactions. */
function dialectOf(connection: DatabaseConnection) {
  const refuse = () => Promise.reject(new Error('the transaction is already open'));
  return {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (kysely: Kysely<unknown>) => new PostgresIntrospector(kysely),
    createDriver: () => ({
      init: () => Promise.resolve(),
      acquireConnection: () => Promise.resolve(connection),
      releaseConnection: () => Promise.resolve(),
      beginTransaction: refuse,
      commitTransaction: refuse,
      rollbackTransaction: refuse,
      destroy: () => Promise.resolve(),
    }),
  };
}
