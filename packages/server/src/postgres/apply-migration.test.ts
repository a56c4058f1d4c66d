import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { createAlarmWriter } from '../alarms/write/alarm-writer.ts';
import { test } from '../testing/plant.fixture.ts';
import { applyMigration } from './apply-migration.ts';
import type { Runtime } from './runtime.ts';

const machine = { name: 'PLC', subject: 'key:1', userId: undefined, stationIds: undefined };
const migrationOf = (name: string, sql: string) => ({ name, sql, checksum: name });

async function connect({ database }: Runtime): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.pool.options.connectionString });
  // The database of the test is dropped with its connections.
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end().catch(() => undefined));
  return client;
}

async function appliedIn(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query('select from migrations where name = $1', [name]);
  return rows.length === 1;
}

/** Raises an alarm again and again until `isDone`, and returns the longest time that one took. */
async function longestWait(runtime: Runtime, isDone: () => boolean): Promise<number> {
  const { submit } = createAlarmWriter(runtime);
  let longest = 0;
  while (!isDone()) {
    const started = performance.now();
    await submit(1, { kind: 'post', actor: machine, body: { path: 'Pump' } });
    longest = Math.max(longest, performance.now() - started);
  }
  return longest;
}

test('a migration that waits for a long transaction lets alarms pass, and is applied after it', async ({
  runtime,
}) => {
  const [owner, reader] = [await connect(runtime), await connect(runtime)];
  await reader.query('begin; select from alarms');
  const migration = migrationOf('9001_column.sql', 'alter table alarms add column test_column integer');
  const lockTimeoutMs = 300;
  let isDone = false;
  const applying = applyMigration(owner, migration, { lockTimeoutMs, pauseMs: 100, attempts: 100 }).finally(
    () => {
      isDone = true;
    },
  );
  const waiting = longestWait(runtime, () => isDone);
  await sleep(2_000);
  expect(isDone).toBe(false);
  await reader.query('commit');
  await applying;
  const longest = await waiting;
  // Alarms waited behind the migration, but for no longer than one of its attempts; the rest is for a busy machine.
  expect(longest).toBeGreaterThan(lockTimeoutMs / 2);
  expect(longest).toBeLessThan(lockTimeoutMs + 900);
  expect(await appliedIn(owner, migration.name)).toBe(true);
});

test('a migration that is never let in fails by its name, and changes nothing', async ({ runtime }) => {
  const [owner, reader] = [await connect(runtime), await connect(runtime)];
  await reader.query('begin; select from alarms');
  const migration = migrationOf('9001_column.sql', 'alter table alarms add column test_column integer');
  const applying = applyMigration(owner, migration, { lockTimeoutMs: 50, pauseMs: 10, attempts: 3 });
  await expect(applying).rejects.toThrow('migration 9001_column.sql failed');
  expect(await appliedIn(owner, migration.name)).toBe(false);
});

test('an index is created beside running transactions, also after a first try that failed', async ({
  runtime,
}) => {
  const [owner, writer] = [await connect(runtime), await connect(runtime)];
  await owner.query('create table twins (id integer)');
  await owner.query('insert into twins values (1), (1)');
  const sql =
    '-- outside a transaction\ncreate unique index concurrently if not exists twins_id on twins (id)';
  const migration = migrationOf('9002_index.sql', sql);
  await expect(applyMigration(owner, migration)).rejects.toThrow('migration 9002_index.sql failed');
  await owner.query('delete from twins where ctid = (select min(ctid) from twins)');

  // A transaction that has written the table: an index that is not created concurrently would wait and block others.
  await writer.query('begin; insert into twins values (2)');
  const applying = applyMigration(owner, migration);
  await sleep(300);
  await writer.query('insert into twins values (3)');
  await writer.query('commit');
  await applying;
  const { rows } = await owner.query(
    "select indisvalid from pg_index where indexrelid = 'twins_id'::regclass",
  );
  expect(rows).toEqual([{ indisvalid: true }]);
  expect(await appliedIn(owner, migration.name)).toBe(true);
});

test('a backfill outside a transaction keeps the steps that were done before it failed', async ({
  runtime,
}) => {
  const owner = await connect(runtime);
  await owner.query('create table steps (id integer)');
  const sql = `-- outside a transaction
    do $$ begin for step in 1..3 loop
      if step = 3 and not exists (select from steps where id = 99) then raise exception 'not yet'; end if;
      insert into steps values (step);
      commit;
    end loop; end $$`;
  const migration = migrationOf('9003_steps.sql', sql);
  await expect(applyMigration(owner, migration)).rejects.toThrow('migration 9003_steps.sql failed');
  expect((await owner.query('select id from steps order by 1')).rows).toEqual([{ id: 1 }, { id: 2 }]);
  expect(await appliedIn(owner, migration.name)).toBe(false);
  await owner.query('insert into steps values (99)');
  await applyMigration(owner, migration);
  expect(await appliedIn(owner, migration.name)).toBe(true);
});
