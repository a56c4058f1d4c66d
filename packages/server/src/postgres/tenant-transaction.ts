import type { Writable } from 'node:stream';
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
import { ProblemError } from '../problem.ts';
import { type Clock, type Database, errorCode, isConnectionFailure, readOnlyServer } from './database.ts';
import type { Tables } from './tables.gen.ts';
import { together } from './together.ts';

/** A transaction that sees one tenant's rows only, and the instant it takes place at. */
export type TenantTransaction = Kysely<Tables> & {
  readonly tenantId: number;
  readonly now: Date;
  /** A time the database told later in the transaction, unless a test has set the clock. */
  timeOf(databaseTime: Date): Date;
  /** The bare connection, for the few statements that are written out by hand for speed. */
  readonly client: pg.PoolClient;
};

/** Runs `work` in a transaction of the tenant. An error undoes all of it. */
export function inTenant<Result>(
  database: Database,
  tenantId: number,
  work: (transaction: TenantTransaction) => Promise<Result>,
): Promise<Result> {
  return transact(database, { tenantId, mode: '' }, work);
}

/** What a statement written out by hand needs of a transaction. */
export type BareTransaction = Pick<TenantTransaction, 'client' | 'tenantId'>;

/** A transaction on the connections kept for writing alarms. */
export type AlarmTransaction = BareTransaction & {
  timeOf: TenantTransaction['timeOf'];
  /** To be sent right behind the last statement, without waiting for it. */
  commit(): Promise<void>;
  /** What is sent within goes out in one piece: for a few small statements, one write instead of one each. */
  inOnePiece<Result>(send: () => Result): Result;
};

/**
 * As `inTenant`, in as few round trips as can be: `work` sends its first statements together with the beginning, and
 * its last ones together with the commit.
 */
export async function inTenantForAlarms<Result>(
  database: Database,
  tenantId: number,
  work: (transaction: AlarmTransaction) => Promise<Result>,
): Promise<Result> {
  const client = await connect(database.alarmPool);
  let committing = false;
  const transaction: AlarmTransaction = {
    client,
    tenantId,
    timeOf: (databaseTime) => database.clock?.() ?? databaseTime,
    commit: () => {
      committing = true;
      return commit(client);
    },
    inOnePiece: (send) => inOnePiece(client, send),
  };
  try {
    const sent = inOnePiece(client, () => [beginQuickly(client, tenantId), work(transaction)] as const);
    const [, result] = await together(sent);
    client.release();
    return result;
  } catch (error) {
    await abandon(client, error);
    throw problemOf(error, committing);
  }
}

/** The driver writes each statement by itself unless its socket is held meanwhile. */
function inOnePiece<Result>(client: pg.PoolClient, send: () => Result): Result {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/** Runs `work` on one snapshot of the tenant: a page and its total agree. */
export function readTenant<Result>(
  database: Database,
  tenantId: number,
  work: (transaction: TenantTransaction) => Promise<Result>,
): Promise<Result> {
  return transact(database, { tenantId, mode: 'isolation level repeatable read read only' }, work);
}

/** Runs `work` with no tenant set: only tables of the installation and the steward's functions answer. */
export function outsideTenants<Result>(
  database: Database,
  work: (transaction: TenantTransaction) => Promise<Result>,
): Promise<Result> {
  return transact(database, { tenantId: 0, mode: '' }, work);
}

/** Goes on in a transaction that began outside, as the tenant: how a tenant comes to be. */
export async function enterTenant(
  transaction: TenantTransaction,
  tenantId: number,
): Promise<TenantTransaction> {
  await transaction.client.query("select set_config('tocsin.tenant', $1, true)", [String(tenantId)]);
  return openTransaction(transaction.client, tenantId, transaction);
}

async function transact<Result>(
  database: Database,
  { tenantId, mode }: { tenantId: number; mode: string },
  work: (transaction: TenantTransaction) => Promise<Result>,
): Promise<Result> {
  const client = await connect(database.pool);
  let committing = false;
  try {
    const now = await begin(client, tenantId, mode);
    const transaction = openTransaction(client, tenantId, timesOf(database.clock, now));
    const result = await work(transaction);
    committing = true;
    await commit(client);
    client.release();
    return result;
  } catch (error) {
    await abandon(client, error);
    throw problemOf(error, committing);
  }
}

/** What to throw for a failed transaction: a problem where the caller can act on it. */
function problemOf(error: unknown, committing: boolean): unknown {
  if (gaveWay(error)) {
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
  if (!isConnectionFailure(error)) return error;
  const wasRefused = errorCode(error) === readOnlyServer;
  const code = committing && !wasRefused ? 'outcome-unknown' : 'unavailable';
  return new ProblemError(code, 'The database did not answer', {
    headers: { 'retry-after': '2' },
    cause: error,
  });
}

/** A deadlock or a lock that took too long: the transaction is undone for certain, and a repetition will do. */
export function gaveWay(error: unknown): boolean {
  const code = errorCode(error instanceof ProblemError ? error.cause : error);
  return code === '40P01' || code === '55P03';
}

/** A statement that ran longer than `statement_timeout`, or that somebody has cancelled: it is undone for certain. */
const cancelled = '57014';

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new ProblemError('unavailable', 'The database cannot be reached', {
      headers: { 'retry-after': '2' },
      cause: error,
    });
  }
}

/** One round trip: begin, name the tenant for this transaction only, ask the time. */
async function begin(client: pg.PoolClient, tenantId: number, mode: string): Promise<Date> {
  const tenant = tenantId === 0 ? '' : String(Math.trunc(tenantId));
  const results = (await client.query(
    `begin ${mode}; select set_config('tocsin.tenant', '${tenant}', true), clock_timestamp() as now`,
  )) as unknown as pg.QueryResult<{ now: Date }>[];
  const now = results[1]?.rows[0]?.now;
  if (!now) throw new Error('the database did not tell the time');
  return now;
}

/** As `begin`, in utility statements that the database need not plan, and answers without a row. */
async function beginQuickly(client: pg.PoolClient, tenantId: number): Promise<void> {
  await client.query(`begin; set local tocsin.tenant = '${Math.trunc(tenantId)}'`);
}

/**
 * A commit that waits for a standby and is cancelled answers success with a warning, though the row is only
 * local: that is no commit to answer 200 for.
 */
async function commit(client: pg.PoolClient): Promise<void> {
  let warning: string | undefined;
  const hear = (notice: { code?: string | undefined; message?: string | undefined }) => {
    if (notice.code === '01000') warning = notice.message;
  };
  client.on('notice', hear);
  try {
    await client.query('commit');
  } finally {
    client.off('notice', hear);
  }
  if (warning !== undefined) {
    throw new ProblemError('outcome-unknown', 'The standby did not confirm', {
      headers: { 'retry-after': '2' },
    });
  }
}

async function abandon(client: pg.PoolClient, error: unknown): Promise<void> {
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

function timesOf(clock: Clock | undefined, now: Date): Times {
  if (clock === undefined) return { now, timeOf: (databaseTime) => databaseTime };
  return { now: clock(), timeOf: clock };
}

function openTransaction(client: pg.PoolClient, tenantId: number, { now, timeOf }: Times): TenantTransaction {
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

/** Kysely on a connection that is ours: it compiles and runs queries, and begins and ends nothing. */
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
