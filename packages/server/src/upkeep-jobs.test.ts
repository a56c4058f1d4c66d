import { addSeconds } from '@tocsin/domain';
import { expect } from 'vitest';
import { createAlarmWriter } from './alarms/alarm-writer.ts';
import { createTenant } from './people/create-tenant.ts';
import { inTenant, readTenant } from './postgres/tenant-transaction.ts';
import type { Runtime } from './runtime.ts';
import { test } from './testing/plant.fixture.ts';
import { upkeepJobs } from './upkeep-jobs.ts';

async function runJob(runtime: Runtime, name: string, retentionMonths = 0): Promise<void> {
  const jobs = upkeepJobs(runtime, createAlarmWriter(runtime), { retentionMonths });
  const job = jobs.find((one) => one.name === name);
  if (!job) throw new Error(`there is no job ${name}`);
  await job.run();
}

test('keys of a day ago and sessions that ended are forgotten in every tenant, younger ones are not', async ({
  runtime,
  clock,
}) => {
  const { database } = runtime;
  const second = await createTenant(runtime, { name: 'Brume Wind' });
  for (const tenantId of [1, second]) {
    await inTenant(database, tenantId, async (transaction) => {
      const { now } = transaction;
      const age = (hours: number) => addSeconds(now, -hours * 3_600);
      const requestHash = Buffer.from('x');
      const key = (name: string, createdAt: Date) => ({
        tenantId,
        principal: 'user:1',
        key: name,
        requestHash,
        createdAt,
      });
      await transaction
        .insertInto('idempotencyKeys')
        .values([key('old', age(25)), key('young', age(23))])
        .execute();
      await transaction
        .insertInto('users')
        .values({
          tenantId,
          id: 1,
          username: 'a',
          name: 'A',
          searchText: 'a',
          role: 'viewer',
          lastChange: now,
        })
        .execute();
      const session = (expiresAt: Date) => ({
        tenantId,
        id: crypto.randomUUID(),
        userId: 1,
        createdAt: age(48),
        expiresAt,
      });
      await transaction
        .insertInto('sessions')
        .values([session(age(1)), session(addSeconds(now, 60))])
        .execute();
    });
  }
  await runJob(runtime, 'forget the expired');
  for (const tenantId of [1, second]) {
    await inTenant(database, tenantId, async (transaction) => {
      expect(await transaction.selectFrom('idempotencyKeys').select('key').execute()).toEqual([
        { key: 'young' },
      ]);
      const sessions = await transaction.selectFrom('sessions').select('expiresAt').execute();
      expect(sessions).toEqual([{ expiresAt: addSeconds(clock.now(), 60) }]);
    });
  }
});

test('what clients of the hub were to be told is forgotten after an hour', async ({ runtime, clock }) => {
  const { database } = runtime;
  const tell = (kind: string) =>
    inTenant(database, 1, ({ client, now }) =>
      client.query('insert into tidings (tenant_id, at, kind) values (1, $1, $2)', [now, kind]),
    );
  await tell('old');
  clock.advance(1_801);
  await tell('young');
  clock.advance(1_801);
  await runJob(runtime, 'forget the expired');
  const kinds = await inTenant(database, 1, (transaction) =>
    transaction.selectFrom('tidings').select('kind').execute(),
  );
  expect(kinds).toEqual([{ kind: 'young' }]);
});

test('partitions are made for the months ahead', async ({ runtime, clock }) => {
  clock.set('2031-05-20T12:00:00Z');
  await runJob(runtime, 'make partitions');
  const { rows } = await runtime.database.pool.query(
    "select relname from pg_class where relname like 'occurrences\\_2031%' and relkind = 'r' order by 1",
  );
  expect(rows.map(({ relname }) => relname)).toEqual([
    'occurrences_2031_05',
    'occurrences_2031_06',
    'occurrences_2031_07',
    'occurrences_2031_08',
  ]);
});

test('months older than those to keep are dropped, and none when all are to be kept', async ({
  runtime,
  clock,
}) => {
  const { pool } = runtime.database;
  await pool.query("select make_partitions('2025-11-01Z', 3)");
  const months = async () => {
    const { rows } = await pool.query(
      "select relname from pg_class where relname ~ '^journal_202[56]_' and relkind = 'r' order by 1 limit 2",
    );
    return rows.map(({ relname }) => relname);
  };
  clock.set('2026-03-01T06:00:00Z');
  await runJob(runtime, 'drop old months', 0);
  expect(await months()).toEqual(['journal_2025_11', 'journal_2025_12']);
  await runJob(runtime, 'drop old months', 2);
  expect(await months()).toEqual(['journal_2026_01', 'journal_2026_02']);
});

test('calls of months that are not kept are forgotten, and none when all are to be kept', async ({
  runtime,
}) => {
  const duties = () =>
    inTenant(runtime.database, 1, (transaction) =>
      transaction.selectFrom('duties').select('closedReason').orderBy('id').execute(),
    );
  await inTenant(runtime.database, 1, ({ client }) =>
    client.query(`insert into duties (tenant_id, occasion, priority, plan, state, opened_at, first_due_at, due_at, closed_at,
      closed_reason) select 1, 'requested', 1, '{}', '{}', at, at, at, at, reason
      from (values ('2025-02-28T23:59:59Z'::timestamptz, 'reached'), ('2025-03-01Z', 'missed')) as d(at, reason)`),
  );
  await runJob(runtime, 'forget past calls', 0);
  expect(await duties()).toEqual([{ closedReason: 'reached' }, { closedReason: 'missed' }]);
  await runJob(runtime, 'forget past calls', 12);
  expect(await duties()).toEqual([{ closedReason: 'missed' }]);
});

test('a month whose alarms came before its partition does not keep the others from theirs', async ({
  runtime,
  clock,
}) => {
  clock.set('2031-06-20T12:00:00Z');
  const { submit } = createAlarmWriter(runtime);
  const actor = { name: 'PLC', subject: 'key:1', userId: undefined, stationIds: undefined };
  await submit(1, { kind: 'post', actor, body: { path: 'Pump' } });
  clock.set('2031-05-20T12:00:00Z');
  await runJob(runtime, 'make partitions');
  const { rows } = await runtime.database.pool.query(
    "select relname from pg_class where relname like 'journal\\_2031%' and relkind = 'r' order by 1",
  );
  expect(rows.map(({ relname }) => relname)).toEqual([
    'journal_2031_05',
    'journal_2031_07',
    'journal_2031_08',
  ]);
});

test('the making of partitions gives way to who reads for long', async ({ runtime, clock }) => {
  clock.set('2031-05-20T12:00:00Z');
  const count = async () =>
    (await runtime.database.pool.query("select from pg_class where relname like 'journal\\_2031%'")).rowCount;
  await readTenant(runtime.database, 1, async ({ client }) => {
    await client.query('select 1 from journal');
    await runJob(runtime, 'make partitions');
    expect(await count()).toBe(0);
  });
  await runJob(runtime, 'make partitions');
  expect(await count()).toBeGreaterThan(0);
});
