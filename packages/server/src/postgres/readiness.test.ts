import pg from 'pg';
import { expect } from 'vitest';
import { openOwner } from '../testing/database-owner.fixture.ts';
import { cloneDatabase, test } from '../testing/plant.fixture.ts';
import { openDatabase } from './database.ts';
import { createReadiness } from './readiness.ts';

async function asOwner(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

test('a migrated database that answers is ready', async ({ runtime }) => {
  expect(await createReadiness(runtime.database)()).toBeUndefined();
});

test('a database that lacks a migration of this release is not ready', async () => {
  const { url, drop } = await cloneDatabase();
  await asOwner(url, "delete from migrations where name like '0002%'");
  const database = openDatabase({ url, connections: 2 });
  expect(await createReadiness(database)()).toBe('The database lacks migrations of this release');
  await database.close();
  await drop();
});

test('a database that does not answer is not ready', async () => {
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', connections: 2 });
  expect(await createReadiness(database)()).toBe('The database does not answer');
  await database.close();
});

test('a database that answers late is not ready, and gets one query at a time', async ({ runtime }) => {
  const { pool } = runtime.database;
  const busy = await Promise.all(Array.from({ length: 8 }, () => pool.connect()));
  const readiness = createReadiness(runtime.database, { withinMs: 50 });
  expect(await Promise.all([readiness(), readiness(), readiness()])).toEqual(
    Array(3).fill('The database does not answer in time'),
  );
  expect(pool.waitingCount).toBe(1);
  for (const client of busy) client.release();
  await expect.poll(readiness).toBeUndefined();
});

test('a database that cannot be written to is not ready', async ({ runtime }) => {
  const { pool } = runtime.database;
  const owner = await openOwner(pool.options.connectionString ?? '');
  const readiness = createReadiness(runtime.database);
  await owner.set('default_transaction_read_only = on');
  await expect.poll(readiness).toBe('The database cannot be written to');
  await owner.reset('default_transaction_read_only');
  await expect.poll(readiness).toBeUndefined();
  await owner.close();
});

test('a database whose commits wait for a standby is not ready, and is not written to by each probe', async ({
  runtime,
}) => {
  const { pool } = runtime.database;
  const owner = await openOwner(pool.options.connectionString ?? '');
  const seldom = createReadiness(runtime.database, { writeEveryMs: 60_000 });
  expect(await seldom()).toBeUndefined();
  const readiness = createReadiness(runtime.database, { withinMs: 300, writeEveryMs: 0 });
  await owner.set('synchronous_commit = on');
  await expect.poll(() => pool.totalCount).toBe(0);
  expect(await Promise.all([readiness(), readiness()])).toEqual(
    Array(2).fill('The database does not commit in time'),
  );
  expect(await readiness()).toBe('The database does not commit in time');
  expect(await owner.waitingForStandby()).toBe(1);
  expect(await seldom()).toBeUndefined();
  await owner.reset('synchronous_commit');
  await expect.poll(readiness).toBeUndefined();
  await owner.close();
});
