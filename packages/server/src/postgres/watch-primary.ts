import { type Database, isConnectionFailure } from './database.ts';
import type { Runtime } from './runtime.ts';

/** The PostgreSQL server that accepts writes. Each promotion of a standby begins a new timeline. */
type Primary = { readonly server: string; readonly timeline: number };

/**
 * Returns a job that logs when another server of the database has become the primary, so that a failover can be seen in
 * the log of each server.
 */
export function createPrimaryWatch({
  database,
  log,
}: Pick<Runtime, 'database' | 'log'>): () => Promise<void> {
  let known: Primary | undefined;
  return async () => {
    const primary = await readPrimary(database);
    if (primary === undefined) return;
    const hasChanged =
      known !== undefined && (known.server !== primary.server || known.timeline !== primary.timeline);
    if (hasChanged) log.warn({ former: known, primary }, 'the primary of the database has changed');
    known = primary;
  };
}

// The first eight digits of the name of a log file are its timeline. Over a socket of the machine there is no address.
const primaryStatement = `
  select coalesce(host(inet_server_addr()) || ':' || inet_server_port(), 'local') as server,
    left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline
  where not pg_is_in_recovery()`;

/** Undefined while there is none: the database is away, or a standby answers. */
async function readPrimary({ pool }: Database): Promise<Primary | undefined> {
  try {
    const { rows } = await pool.query<{ server: string; timeline: string }>(primaryStatement);
    return rows[0] && { server: rows[0].server, timeline: Number.parseInt(rows[0].timeline, 16) };
  } catch (error) {
    // Readiness and the requests report it.
    if (isConnectionFailure(error)) return undefined;
    throw error;
  }
}
