import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describeFault, type Fault } from '../common/fault.ts';
import { applyMigration, type Migration } from './apply-migration.ts';
import { defaultToOperatingUser } from './operating-user.ts';

const folder = new URL('../../migrations/', import.meta.url);

/** If two servers start together, one migrates, and the other waits and finds nothing to do. */
const migrationLock = 7_420_000;

export type MigrateSettings = {
  /** Tables and functions belong to the role that migrates; functions with their owner's rights would run as a superuser. */
  allowSuperuser: boolean;
};

/**
 * Migrates the database to this release. Migrations run in order, each in a transaction of its own or outside of one, and
 * are never edited afterwards: a changed checksum stops the server. If nothing is pending, the server's own login suffices.
 */
export async function migrate(
  url: string,
  { allowSuperuser }: MigrateSettings,
): Promise<{ applied: string[] }> {
  defaultToOperatingUser();
  const client = new pg.Client({ connectionString: url, application_name: 'tocsin migrate' });
  await client.connect();
  try {
    await lockMigrations(client);
    const pending = await readPending(client);
    if (pending.length > 0) await prepare(client, allowSuperuser);
    for (const migration of pending) await applyMigration(client, migration);
    await client.query('select make_partitions(now(), 3)');
    return { applied: pending.map(({ name }) => name) };
  } finally {
    await client.end();
  }
}

const lockPollMs = 250;

/** Asks again and again, because an index that is created concurrently would wait for the end of a statement that waits. */
async function lockMigrations(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      migrationLock,
    ]);
    if (rows[0]?.locked === true) return;
    await sleep(lockPollMs);
  }
}

const loginMs = 4_000;

/** Logs in as the role that migrates, and does nothing; throws if `migrate` could not log in either. */
export async function tryMigrationLogin(url: string): Promise<void> {
  defaultToOperatingUser();
  const timeouts = { connectionTimeoutMillis: loginMs, query_timeout: loginMs };
  const client = new pg.Client({ connectionString: url, application_name: 'tocsin check', ...timeouts });
  client.on('error', () => undefined);
  await client.connect();
  await client.end();
}

/** The migrations of this release that the database lacks (a newer database lacks none). */
export async function pendingMigrations(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from migrations');
  const done = new Set(rows.map(({ name }) => name));
  return (await migrationNames()).filter((name) => !done.has(name));
}

/** The migrations of the database compared with those of this release. */
export type SchemaState = {
  /** Of a newer release. */
  readonly unknown: readonly string[];
  readonly changed: readonly Fault[];
  readonly newest: string;
};

export async function readSchemaState(pool: pg.Pool): Promise<SchemaState> {
  const done = await appliedMigrations(pool);
  const migrations = await readMigrations();
  const ours = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  const names = [...done.keys()].toSorted();
  return {
    unknown: names.filter((name) => !ours.has(name)),
    changed: names
      .filter((name) => ours.has(name) && ours.get(name) !== done.get(name))
      .map(changedMigration),
    newest: names.at(-1) ?? 'none',
  };
}

function changedMigration(name: string): Fault {
  return {
    name: 'schema.changed',
    problem: `migration ${name} was changed after it was applied`,
    remedy: 'restore its file',
  };
}

/** The migrations that the database lacks; throws if one of those it has differs from ours. */
async function readPending(client: pg.Client): Promise<Migration[]> {
  const done = await appliedMigrations(client);
  const migrations = await readMigrations();
  for (const { name, checksum } of migrations) {
    if ((done.get(name) ?? checksum) !== checksum) throw new Error(describeFault(changedMigration(name)));
  }
  return migrations.filter(({ name }) => !done.has(name));
}

async function prepare(client: pg.Client, allowSuperuser: boolean): Promise<void> {
  const { rows } = await client.query<{ name: string; superuser: boolean }>(
    'select rolname as name, rolsuper as superuser from pg_roles where rolname = session_user',
  );
  const [login] = rows;
  if (login?.superuser === true && !allowSuperuser) {
    throw new Error(
      `${login.name} is a superuser, and would own the tables: migrate as a plain owner (docs/operations.md#postgresql), or, for a demonstration, set ALLOW_SUPERUSER_LOGIN=true`,
    );
  }
  await client.query(
    'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  );
}

async function appliedMigrations(client: pg.Client | pg.Pool): Promise<Map<string, string>> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    `select to_regclass('public.migrations') is not null as exists`,
  );
  if (found[0]?.exists !== true) return new Map();
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** The migrations of this release, in order. */
export async function migrationNames(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
}

async function readMigrations(): Promise<Migration[]> {
  return Promise.all(
    (await migrationNames()).map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
