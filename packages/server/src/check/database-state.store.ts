import type { Database } from '../postgres/database.ts';

/** The settings of PostgreSQL as the server's own connections see them, and the limits of its login. */
export type DatabaseState = {
  readonly version: string;
  readonly versionNumber: number;
  readonly encoding: string;
  readonly fsync: boolean;
  readonly fullPageWrites: boolean;
  readonly synchronousCommit: string;
  /** `synchronous_standby_names`; empty if commits wait for no standby. */
  readonly standbyNames: string;
  /** Standbys that are connected. */
  readonly standbys: number;
  /** Connections that PostgreSQL accepts from roles that are not superusers. */
  readonly maxConnections: number;
  /** Limits of the database and of the login; -1: none. */
  readonly databaseLimit: number;
  readonly loginLimit: number;
  readonly idleSessionMs: number;
  readonly login: string;
  readonly bytes: number;
};

const stateStatement = `
  select current_setting('server_version') as version, current_setting('server_version_num')::integer as "versionNumber",
    pg_encoding_to_char(d.encoding) as encoding, current_setting('fsync')::boolean as fsync,
    current_setting('full_page_writes')::boolean as "fullPageWrites",
    current_setting('synchronous_commit') as "synchronousCommit",
    current_setting('synchronous_standby_names') as "standbyNames",
    (select count(*) from pg_stat_replication) as standbys,
    current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
      - coalesce(current_setting('reserved_connections', true)::integer, 0) as "maxConnections",
    d.datconnlimit as "databaseLimit", r.rolconnlimit as "loginLimit", r.rolname as login,
    (select setting::integer from pg_settings where name = 'idle_session_timeout') as "idleSessionMs",
    (select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r') as bytes
  from pg_database d, pg_roles r where d.datname = current_database() and r.rolname = session_user`;

export async function readDatabaseState({ pool }: Database): Promise<DatabaseState> {
  const { rows } = await pool.query<DatabaseState>(stateStatement);
  if (!rows[0]) throw new Error('the database does not know its own name');
  return rows[0];
}

/** The tables of tenants whose rows are not separated by forced row-level security. */
export async function listUnprotectedTables({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
      and a.attname = case c.relname when 'tenants' then 'id' else 'tenant_id' end
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not (c.relrowsecurity and c.relforcerowsecurity)
    order by c.relname`);
  return rows.map(({ name }) => name);
}

/** The partitions of this and the next month that do not exist. */
export async function listMissingPartitions({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(`
    select name from unnest(array['occurrences', 'journal', 'acknowledgments']) as parent, generate_series(0, 1) as step,
      lateral (select parent || to_char(date_trunc('month', now(), 'UTC') at time zone 'UTC'
        + make_interval(months => step), '"_"YYYY"_"MM') as name) as wanted
    where to_regclass(name) is null order by name`);
  return rows.map(({ name }) => name);
}
