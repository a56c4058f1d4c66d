import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';

const folder = new URL('../../migrations/', import.meta.url);

/** Two servers that start together: one migrates, the other waits and finds nothing to do. */
const migrationLock = 7_420_000;

type Migration = { name: string; checksum: string; sql: string };

/**
 * Brings the database up to this release. Migrations run in order, each in a transaction of its own, and are
 * never edited afterwards: a changed checksum stops the server before it does harm.
 */
export async function migrate(url: string): Promise<{ applied: string[] }> {
  const client = new pg.Client({ connectionString: url, application_name: 'tocsin migrate' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(
      'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    );
    const done = await appliedMigrations(client);
    const applied: string[] = [];
    for (const migration of await readMigrations()) {
      const checksum = done.get(migration.name);
      if (checksum === undefined) {
        await apply(client, migration);
        applied.push(migration.name);
      } else if (checksum !== migration.checksum) {
        throw new Error(`migration ${migration.name} was changed after it was applied: restore its file`);
      }
    }
    await client.query('select make_partitions(now(), 3)');
    return { applied };
  } finally {
    await client.end();
  }
}

/** Whether the database has every migration of this release (a newer database is ready too). */
export async function pendingMigrations(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from migrations');
  const done = new Set(rows.map(({ name }) => name));
  return (await migrationNames()).filter((name) => !done.has(name));
}

async function appliedMigrations(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

async function apply(client: pg.Client, { name, checksum, sql }: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
    await client.query('grant select on migrations to tocsin_app');
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migration ${name} failed`, { cause: error });
  }
}

async function migrationNames(): Promise<string[]> {
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
