import { addSeconds } from '@tocsin/domain';
import pg from 'pg';
import { pino } from 'pino';
import { expect } from 'vitest';
import { createAlarmWriter } from '../alarms/write/alarm-writer.ts';
import { createTenant } from '../people/create-tenant.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, readTenant } from '../postgres/tenant-transaction.ts';
import { test } from '../testing/plant.fixture.ts';
import { upkeepJobs } from './upkeep-jobs.ts';

async function runJob(runtime: Runtime, name: string, retentionMonths = 0): Promise<void> {
  const jobs = upkeepJobs(runtime, createAlarmWriter(runtime), { retentionMonths, auditRetentionMonths: 0 });
  const job = jobs.find((one) => one.name === name);
  if (!job) throw new Error(`there is no job ${name}`);
  await job.run();
}

test('idempotency keys of a day ago and ended sessions are deleted in every tenant, younger ones are not', async ({
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
  await runJob(runtime, 'delete expired rows');
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

/** Makes the database refuse changes to these rows of the tenant. */
async function breakTenant({ database }: Runtime, table: 'alarms' | 'idempotency_keys', tenantId: number) {
  const owner = new pg.Client({ connectionString: database.pool.options.connectionString });
  await owner.connect();
  await owner.query(`create function refuse() returns trigger language plpgsql
    as $$ begin raise exception 'this tenant is broken'; end $$`);
  await owner.query(`create trigger refuse before update or delete on ${table} for each row
    when (old.tenant_id = ${tenantId}) execute function refuse()`);
  await owner.end();
}

/** The runtime, and the lines that it logs. */
function withLog(runtime: Runtime) {
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  return { runtime: { ...runtime, log }, lines };
}

test('masks end in the other tenants if they cannot end in one, which is named in the log', async ({
  runtime: quiet,
  clock,
}) => {
  const { runtime, lines } = withLog(quiet);
  const tenantIds = [
    1,
    await createTenant(runtime, { name: 'B' }),
    await createTenant(runtime, { name: 'C' }),
  ];
  const { submit } = createAlarmWriter(runtime);
  const actor = { name: 'PLC', subject: 'key:1', userId: undefined, stationIds: undefined };
  for (const tenantId of tenantIds) {
    await submit(tenantId, { kind: 'post', actor, body: { path: 'Pump' } });
    await submit(tenantId, { kind: 'mask', actor, tagId: 1, reason: 'work', seconds: 60 });
  }
  clock.advance(61);
  await breakTenant(runtime, 'alarms', 1);
  await runJob(runtime, 'end masks');
  const states = tenantIds.map((tenantId) =>
    inTenant(runtime.database, tenantId, (transaction) =>
      transaction.selectFrom('alarms').select('state').executeTakeFirst(),
    ),
  );
  expect(await Promise.all(states)).toEqual([{ state: 7 }, { state: 3 }, { state: 3 }]);
  expect(lines).toContainEqual(expect.objectContaining({ tenantId: 1, job: 'end masks', level: 50 }));
});

test('expired rows are deleted in the other tenants if they cannot be deleted in one', async ({
  runtime: quiet,
  clock,
}) => {
  const { runtime, lines } = withLog(quiet);
  const tenantIds = [1, await createTenant(runtime, { name: 'B' })];
  const keysOf = (tenantId: number) =>
    inTenant(runtime.database, tenantId, (transaction) =>
      transaction.selectFrom('idempotencyKeys').select('key').execute(),
    );
  for (const tenantId of tenantIds)
    await inTenant(runtime.database, tenantId, (transaction) =>
      transaction
        .insertInto('idempotencyKeys')
        .values({
          tenantId,
          principal: 'user:1',
          key: 'old',
          requestHash: Buffer.from('x'),
          createdAt: transaction.now,
        })
        .execute(),
    );
  clock.advance(90_000);
  await breakTenant(runtime, 'idempotency_keys', 1);
  await runJob(runtime, 'delete expired rows');
  expect(await Promise.all(tenantIds.map(keysOf))).toEqual([[{ key: 'old' }], []]);
  expect(lines).toContainEqual(expect.objectContaining({ tenantId: 1, job: 'delete expired rows' }));
});

test('call events for hub clients are deleted after an hour', async ({ runtime, clock }) => {
  const { database } = runtime;
  const addCallEvent = (kind: string) =>
    inTenant(database, 1, ({ client, now }) =>
      client.query('insert into call_events (tenant_id, at, kind) values (1, $1, $2)', [now, kind]),
    );
  await addCallEvent('old');
  clock.advance(1_801);
  await addCallEvent('young');
  clock.advance(1_801);
  await runJob(runtime, 'delete expired rows');
  const kinds = await inTenant(database, 1, (transaction) =>
    transaction.selectFrom('callEvents').select('kind').execute(),
  );
  expect(kinds).toEqual([{ kind: 'young' }]);
});

test('partitions are created for the coming months', async ({ runtime, clock }) => {
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

test('months beyond the retention are dropped, and none without a retention', async ({ runtime, clock }) => {
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

test('calls beyond the retention are deleted, and none without a retention', async ({ runtime }) => {
  const escalations = () =>
    inTenant(runtime.database, 1, (transaction) =>
      transaction.selectFrom('escalations').select('closedReason').orderBy('id').execute(),
    );
  await inTenant(runtime.database, 1, ({ client }) =>
    client.query(`insert into escalations (tenant_id, occasion, priority, plan, state, opened_at, first_due_at, due_at, closed_at,
      closed_reason) select 1, 'requested', 1, '{}', '{}', at, at, at, at, reason
      from (values ('2025-02-28T23:59:59Z'::timestamptz, 'reached'), ('2025-03-01Z', 'missed')) as d(at, reason)`),
  );
  await runJob(runtime, 'delete old calls', 0);
  expect(await escalations()).toEqual([{ closedReason: 'reached' }, { closedReason: 'missed' }]);
  await runJob(runtime, 'delete old calls', 12);
  expect(await escalations()).toEqual([{ closedReason: 'missed' }]);
});

test('a temporary tag at rest is deleted with its history, and may be created again', async ({
  runtime,
  clock,
}) => {
  const { database } = runtime;
  const { submit } = createAlarmWriter(runtime);
  const actor = { name: 'PLC', subject: 'key:1', userId: undefined, stationIds: undefined };
  const post = (body: object) => submit(1, { kind: 'post', actor, body });
  const tagIds = () =>
    inTenant(database, 1, async (transaction) => {
      const tags = await transaction.selectFrom('tags').select('id').orderBy('id').execute();
      const alarms = await transaction.selectFrom('alarms').select('tagId').orderBy('tagId').execute();
      expect(alarms.map(({ tagId }) => tagId)).toEqual(tags.map(({ id }) => id));
      return tags.map(({ id }) => id);
    });
  const day = 86_400;
  await runJob(runtime, 'make partitions');
  await post({ path: 'Visitor', temporary: true });
  await post({ path: 'Visitor', raised: false });
  await submit(1, { kind: 'acknowledge', tagId: 1, actor });
  await post({ alarmMessage: 'SOS' });
  // Reset but not acknowledged: it stays.
  await submit(1, { kind: 'reset', tagId: 2, actor });
  await post({ path: 'Pump' });
  await submit(1, { kind: 'acknowledge', tagId: 3, actor });
  await post({ path: 'Pump', raised: false });
  await post({ raised: false });
  await runJob(runtime, 'delete temporary tags', 2);
  expect(await tagIds()).toEqual([1, 2, 3, 4]);
  clock.advance(2 * day);
  await runJob(runtime, 'delete temporary tags', 2);
  expect(await tagIds()).toEqual([1, 2, 3]);
  clock.advance(100 * day);
  await runJob(runtime, 'delete temporary tags', 0);
  expect(await tagIds()).toEqual([1, 2, 3]);
  await runJob(runtime, 'drop old months', 2);
  await runJob(runtime, 'delete temporary tags', 2);
  expect(await tagIds()).toEqual([2, 3]);
  // The writer, which had cached it, creates it again.
  expect(await post({ path: 'Visitor', temporary: true })).toBe(5);
  expect(await tagIds()).toEqual([2, 3, 5]);
});

test('a month with alarms in the default partition does not prevent the partitions of other months', async ({
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

test('creating partitions yields to a long read', async ({ runtime, clock }) => {
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
