import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { errorCode } from './database.ts';

export type Migration = { name: string; checksum: string; sql: string };

/** Servers that run meanwhile queue behind a lock that a migration waits for, so it gives up and comes again. */
export type MigrationPatience = { lockTimeoutMs: number; pauseMs: number; attempts: number };

const defaultPatience: MigrationPatience = { lockTimeoutMs: 1_000, pauseMs: 2_000, attempts: 60 };

/** First line of a file with one statement that cannot run in a transaction, or commits by itself. It is safe to repeat. */
const outsideMark = '-- outside a transaction\n';

const lockTimeout = '55P03';
const deadlock = '40P01';

/** Applies the migration and records it. While others hold a lock that it needs, it lets them pass and tries again. */
export async function applyMigration(
  client: pg.Client,
  migration: Migration,
  { lockTimeoutMs, pauseMs, attempts }: MigrationPatience = defaultPatience,
): Promise<void> {
  const isOutside = migration.sql.startsWith(outsideMark);
  // What runs outside of a transaction takes no lock that writers of alarms wait for, and may wait for the longest of them.
  await client.query(`set lock_timeout = ${isOutside ? 0 : lockTimeoutMs}`);
  const apply = isOutside ? applyOutside : applyInTransaction;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await apply(client, migration);
      break;
    } catch (error) {
      const isBlocked = [lockTimeout, deadlock].includes(errorCode(error));
      if (!isBlocked || attempt === attempts)
        throw new Error(`migration ${migration.name} failed`, { cause: error });
    }
    await sleep(pauseMs);
  }
  await client.query('reset lock_timeout');
}

async function applyInTransaction(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await record(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function applyOutside(client: pg.Client, migration: Migration): Promise<void> {
  await dropInvalidIndexes(client);
  await client.query(migration.sql);
  await record(client, migration);
}

/** What `create index concurrently` leaves behind when it fails: `if not exists` would take it for the index. */
async function dropInvalidIndexes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where not i.indisvalid and c.relkind = 'i' and c.relnamespace = 'public'::regnamespace`,
  );
  for (const { name } of rows) await client.query(`drop index concurrently ${name}`);
}

async function record(client: pg.Client, { name, checksum }: Migration): Promise<void> {
  await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
  await client.query('grant select on migrations to tocsin_app');
}
