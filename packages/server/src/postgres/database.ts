import pg from 'pg';
import { defaultToOperatingUser } from './operating-user.ts';

/** The clock that stamps alarms. By default the clock of the database, which all server processes share. */
export type Clock = () => Date;

export type Database = {
  readonly pool: pg.Pool;
  /** Reserved for writing alarms: reads of histories cannot use up its connections, and its plans suit writes only. */
  readonly alarmPool: pg.Pool;
  readonly clock: Clock | undefined;
  close(): Promise<void>;
};

export type DatabaseSettings = {
  url: string;
  connections: number;
  /** Connections that only write alarms. */
  alarmConnections?: number;
  clock?: Clock | undefined;
  onError?: (error: Error) => void;
};

const int8 = 20;
const int8Array = 1016;
const date = 1082;

const parseArray = pg.types.getTypeParser(int8Array as number) as (text: string) => unknown;

// Identifiers are 32 bits and `seq` stays far below 2^53, so bigint columns are plain numbers here.
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === int8) return Number;
    // A calendar day has no instant: it stays text.
    if (oid === date) return String;
    if (oid === int8Array) return (text: string) => (parseArray(text) as string[]).map(Number);
    return pg.types.getTypeParser(oid, format);
  },
};

/** Clients no longer wait for the answer to a statement after this time. */
const queryTimeoutMs = 10_000;

const sessionSettings = {
  role: 'tocsin_app',
  timezone: 'UTC',
  lock_timeout: '5000',
  // Shorter than the client's timeout: a statement that the client gave up must not go on and hold its locks.
  statement_timeout: String(queryTimeoutMs - 500),
  idle_in_transaction_session_timeout: '15000',
  jit: 'off',
  // Starting parallel workers takes longer than most statements; they pay off for millions of rows only.
  parallel_setup_cost: '100000',
};

/**
 * Every statement that writes alarms finds rows by their keys. While tables are small the planner would prefer scans, and
 * would keep these plans when the tables have grown.
 */
const alarmSessionSettings = {
  ...sessionSettings,
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

/** Connections besides those of `DATABASE_CONNECTIONS` and `ALARM_CONNECTIONS`, so that reads of histories delay neither alarms nor calls. */
export const reservedConnections = { dispatch: 4 };

const defaultAlarmConnections = 4;

/**
 * After a burst of requests its connections stay open for so long. Opening one costs more than most requests: PostgreSQL
 * starts a process, which reads its catalogs and plans each statement anew. Decision 0099.
 */
const usualIdleMs = 600_000;

/** Connections that write alarms are never closed for being idle: the first alarm of a quiet night must not wait. */
const neverMs = 0;

/** Idle connections are probed this often, so that those to a machine that has lost its power do not stay open. */
const probeIdleMs = 5_000;

/** Connects as the application role, whatever role the URL logs in as: row-level security applies to every query. */
export function openDatabase(settings: DatabaseSettings): Database {
  defaultToOperatingUser();
  const pool = openPool(settings, {
    max: settings.connections,
    idleMs: usualIdleMs,
    session: sessionSettings,
  });
  const alarmPool = openPool(settings, {
    max: settings.alarmConnections ?? defaultAlarmConnections,
    idleMs: neverMs,
    session: alarmSessionSettings,
  });
  const close = async () => void (await Promise.all([pool.end(), alarmPool.end()]));
  return { pool, alarmPool, clock: settings.clock, close };
}

type PoolSettings = {
  max: number;
  /** A connection is closed when nobody has used it for this time; 0 keeps it open. */
  idleMs: number;
  session: Record<string, string>;
};

function openPool({ url, onError }: DatabaseSettings, { max, idleMs, session }: PoolSettings): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 5_000,
    query_timeout: queryTimeoutMs,
    idleTimeoutMillis: idleMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: probeIdleMs,
    // Statements that do not need each other's results are pipelined: a batch costs few round trips.
    pipeline: true,
    application_name: 'tocsin',
    options: Object.entries(session)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    types,
  });
  // Without a listener a lost idle connection would end the process.
  pool.on('error', (error) => onError?.(error));
  // The same applies to a connection in use; its statement fails with the error.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** The SQLSTATE of a failed statement, or the Node.js code of a failed connection; empty for other errors. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** SQLSTATE of a server that is a standby, or has just been one: another server may be able to write. */
export const readOnlyServer = '25006';

/** Whether the connection failed rather than the statement: another connection may succeed. */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = errorCode(error);
  if (code === readOnlyServer || /^(08|57P|53[0-9])/.test(code)) return true;
  if (/^E[A-Z]+$/.test(code)) return true;
  // A code takes precedence over words: PostgreSQL's message for a lock timeout is not a timeout of the connection.
  if (code !== '') return false;
  return /timeout|connection terminated|client has encountered a connection error/i.test(error.message);
}
