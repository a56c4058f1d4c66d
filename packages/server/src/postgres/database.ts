import pg from 'pg';
import { defaultToOperatingUser } from './operating-user.ts';

/** The clock that stamps alarms. Absent, it is the database's own: one clock for all server processes. */
export type Clock = () => Date;

export type Database = {
  readonly pool: pg.Pool;
  /** For writing alarms only: reading histories cannot take its connections, nor plans meant for other work. */
  readonly alarmPool: pg.Pool;
  readonly clock: Clock | undefined;
  close(): Promise<void>;
};

export type DatabaseSettings = {
  url: string;
  connections: number;
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

/** After so long nobody waits for the answer to a statement any more. */
const patienceMs = 10_000;

const sessionSettings = {
  role: 'tocsin_app',
  timezone: 'UTC',
  lock_timeout: '5000',
  // A little sooner than the client: what it has given up must not run on, and hold its locks.
  statement_timeout: String(patienceMs - 500),
  idle_in_transaction_session_timeout: '15000',
  jit: 'off',
  // Starting helpers takes longer than most answers: they are for what reads millions of rows.
  parallel_setup_cost: '100000',
};

/**
 * Every statement that writes alarms looks rows up by their keys. The planner does not know that while tables are
 * new and small, and must not find out the hard way when they have grown.
 */
const alarmSessionSettings = {
  ...sessionSettings,
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

const alarmConnections = 4;

/** Connects as the application role, whoever the URL logs in as: row-level security holds for every query. */
export function openDatabase(settings: DatabaseSettings): Database {
  defaultToOperatingUser();
  const pool = openPool(settings, settings.connections, sessionSettings);
  const alarmPool = openPool(settings, alarmConnections, alarmSessionSettings);
  const close = async () => void (await Promise.all([pool.end(), alarmPool.end()]));
  return { pool, alarmPool, clock: settings.clock, close };
}

function openPool({ url, onError }: DatabaseSettings, max: number, session: Record<string, string>): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 5_000,
    query_timeout: patienceMs,
    keepAlive: true,
    // Statements that do not wait for each other's results go out together: a batch costs few round trips.
    pipeline: true,
    application_name: 'tocsin',
    options: Object.entries(session)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    types,
  });
  // Without a listener a dropped idle connection would end the process.
  pool.on('error', (error) => onError?.(error));
  // The same goes for one in use; whoever uses it hears of it from the statement that fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** What PostgreSQL says of a failed statement in five characters, or Node.js of a failed connection; empty for neither. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** A server that was a standby a moment ago, or has become one: it cannot write, and another may. */
export const readOnlyServer = '25006';

/** Whether a failure is of the connection rather than of the statement: another connection may do better. */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = errorCode(error);
  if (code === readOnlyServer || /^(08|57P|53[0-9])/.test(code)) return true;
  if (/^E[A-Z]+$/.test(code)) return true;
  // A code tells more than words: what PostgreSQL says of a lock timeout is not a timeout of the connection.
  if (code !== '') return false;
  return /timeout|connection terminated|client has encountered a connection error/i.test(error.message);
}
