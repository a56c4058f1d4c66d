import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect } from 'vitest';
import { createConfigurationCache } from '../../escalations/configuration-cache.ts';
import { readJournal } from '../../journal/journal.store.ts';
import { createTenant } from '../../people/create-tenant.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { readTenant } from '../../postgres/tenant-transaction.ts';
import { test } from '../../testing/app.fixture.ts';
import type { AlarmCommand } from '../decide/alarm-command.ts';
import { createAlarmWriter } from './alarm-writer.ts';

const actor = { name: 'PLC', subject: 'key:1', userId: undefined, stationIds: undefined };
const post = (path: string, more: object = {}): AlarmCommand => ({
  kind: 'post',
  actor,
  body: { path, ...more },
});

test('commands that arrive while a batch is written join the next one, and every seq is there once', async ({
  runtime,
}) => {
  const batches: number[] = [];
  const writer = createAlarmWriter(runtime, {
    onCommitted: (_tenantId, entries) => batches.push(entries.length),
  });
  const ids = await Promise.all(Array.from({ length: 300 }, (_, n) => writer.submit(1, post(`Pump ${n}`))));
  expect(new Set(ids).size).toBe(300);
  expect(Math.max(...(ids as number[]))).toBe(300);
  expect(batches).toEqual([1, 128, 128, 43]);
  const entries = await readTenant(runtime.database, 1, (transaction) =>
    readJournal(transaction, { after: 0, limit: 1_000 }),
  );
  expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 300 }, (_, n) => n + 1));
});

test('commands that arrive while all connections are busy join the batch that waits for one', async ({
  runtime,
}) => {
  const { alarmPool, pool } = runtime.database;
  const batches = new Map<number, number[]>();
  const writer = createAlarmWriter(runtime, {
    onCommitted: (tenantId, entries) =>
      batches.set(tenantId, [...(batches.get(tenantId) ?? []), entries.length]),
  });
  const tenantIds: number[] = [];
  while (tenantIds.length <= alarmPool.options.max)
    tenantIds.push(await createTenant(runtime, { name: `Plant ${crypto.randomUUID()}` }));
  const last = tenantIds.at(-1) ?? 0;
  // As the owner of the database: the server's own role sees the counters of one tenant at a time.
  const owner = new pg.Client({ connectionString: pool.options.connectionString });
  await owner.connect();
  await owner.query('begin; select 1 from tenant_counters for update');
  const busy = tenantIds.map((tenantId) => writer.submit(tenantId, post('Pump')));
  await expect.poll(() => alarmPool.totalCount - alarmPool.idleCount).toBe(alarmPool.options.max);
  const joining = Array.from({ length: 10 }, (_, n) => writer.submit(last, post(`Fan ${n}`)));
  await owner.query('commit');
  await owner.end();
  await Promise.all([...busy, ...joining]);
  expect(batches.get(last)).toEqual([11]);
});

/** Lets the batches of five tenants wait for a connection, all of which are in use. */
async function letFiveWait(
  runtime: Runtime,
  commandOf: (index: number) => AlarmCommand = () => post('Pump'),
) {
  const { alarmPool } = runtime.database;
  const writer = createAlarmWriter(runtime);
  const tenantIds: number[] = [];
  while (tenantIds.length < alarmPool.options.max + 5)
    tenantIds.push(await createTenant(runtime, { name: `Plant ${crypto.randomUUID()}` }));
  const busy = tenantIds.slice(0, alarmPool.options.max);
  const five = tenantIds.slice(alarmPool.options.max);
  const owner = await openOwner(runtime);
  await owner.query(`begin; select 1 from tenant_counters where tenant_id in (${busy.join()}) for update`);
  const first = busy.map((tenantId) => writer.submit(tenantId, post('Pump')));
  await expect.poll(() => alarmPool.totalCount - alarmPool.idleCount).toBe(alarmPool.options.max);
  const written = five.map((tenantId, index) => writer.submit(tenantId, commandOf(index)));
  const release = async () => {
    await owner.query('commit');
    await Promise.all(first);
  };
  const readCounters = async () => {
    const { rows } = await owner.query<{ xmin: string; seq: number }>(
      `select xmin::text, seq::integer from tenant_counters where tenant_id in (${five.join()}) order by tenant_id`,
    );
    await owner.end();
    return rows;
  };
  return { five, written, release, readCounters };
}

test('batches of several tenants that wait for a connection are written in one transaction', async ({
  runtime,
}) => {
  const { written, release, readCounters } = await letFiveWait(runtime);
  await release();
  expect(await Promise.all(written)).toEqual([1, 1, 1, 1, 1]);
  const rows = await readCounters();
  expect(rows.map(({ seq }) => seq)).toEqual([1, 1, 1, 1, 1]);
  expect(new Set(rows.map(({ xmin }) => xmin)).size).toBe(1);
});

test('a command that the database refuses does not affect the tenants that are written with it', async ({
  runtime,
}) => {
  const bad = post('Pump', { alarmMessage: 'a\u0000b' });
  const { written, release, readCounters } = await letFiveWait(runtime, (index) =>
    index === 1 ? bad : post('Pump'),
  );
  const outcomes = Promise.allSettled(written);
  await release();
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect((await readCounters()).map(({ seq }) => seq)).toEqual([1, 0, 1, 1, 1]);
});

test('a tenant whose lock is held does not keep those waiting that are written with it', async ({
  runtime,
}) => {
  const { five, written, release, readCounters } = await letFiveWait(runtime);
  const other = await openOwner(runtime);
  await other.query(`begin; select 1 from tenant_counters where tenant_id = ${five[2]} for update`);
  await release();
  const free = written.filter((_, index) => index !== 2);
  expect(await Promise.all(free)).toEqual([1, 1, 1, 1]);
  await other.query('commit');
  await other.end();
  expect(await written[2]).toBe(1);
  expect((await readCounters()).map(({ seq }) => seq)).toEqual([1, 1, 1, 1, 1]);
});

test('people who are called are read before the tenant is locked', async ({ runtime }) => {
  const configuration = createConfigurationCache();
  const writer = createAlarmWriter(runtime, { configuration });
  const owner = await openOwner(runtime);
  await owner.query('begin; select 1 from tenant_counters for update');
  const raised = writer.submit(1, post('Pump', { alarmActions: [{ type: 'CallGroup', id: 1 }] }));
  await expect.poll(() => configuration.hasDirectory(1)).toBe(true);
  await owner.query('commit');
  await owner.end();
  expect(await raised).toBe(1);
});

test('one bad command fails alone', async ({ runtime }) => {
  const writer = createAlarmWriter(runtime);
  const results = await Promise.allSettled([
    writer.submit(1, post('A')),
    writer.submit(1, post('B')),
    writer.submit(1, post('C', { stationId: 99 })),
    writer.submit(1, { kind: 'acknowledge', tagId: 99, actor }),
    writer.submit(1, post('D')),
  ]);
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
    'fulfilled',
  ]);
});

test('a command that the database itself refuses fails alone too', async ({ runtime }) => {
  const writer = createAlarmWriter(runtime);
  const results = await Promise.allSettled([
    writer.submit(1, post('A')),
    writer.submit(1, post('B')),
    // HTTP replaces NUL; here only the database refuses it.
    writer.submit(1, post('X', { alarmMessage: 'a\u0000b' })),
    writer.submit(1, post('C')),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
});

test('a command that cannot be put into a statement fails alone, and nothing is written in part', async ({
  runtime,
}) => {
  const writer = createAlarmWriter(runtime);
  const unwritable = {
    toJSON: () => {
      throw new Error('cannot be written');
    },
  };
  const results = await Promise.allSettled([
    writer.submit(1, post('A')),
    writer.submit(1, post('B')),
    writer.submit(1, post('X', { location: { zone: unwritable } })),
    writer.submit(1, post('C')),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  const entries = await readTenant(runtime.database, 1, (transaction) =>
    readJournal(transaction, { after: 0, limit: 10 }),
  );
  expect(entries.map(({ alarm }) => (alarm as { path: string }).path)).toEqual(['A', 'B', 'C']);
});

test('a batch that is committed is not written again because a listener fails', async ({ runtime }) => {
  const writer = createAlarmWriter(runtime, {
    onCommitted: () => {
      throw new Error('the listener failed');
    },
  });
  await Promise.all([writer.submit(1, post('A')), writer.submit(1, post('A')), writer.submit(1, post('A'))]);
  const entries = await readTenant(runtime.database, 1, (transaction) =>
    readJournal(transaction, { after: 0, limit: 10 }),
  );
  expect(entries.map(({ kind }) => kind)).toEqual(['raised', 'repeated', 'repeated']);
});

/** As the owner of the database. */
async function openOwner(runtime: Runtime): Promise<pg.Client> {
  const owner = new pg.Client({ connectionString: runtime.database.pool.options.connectionString });
  await owner.connect();
  return owner;
}

test('a batch that waited too long for a lock is decided again, on the same connection', async ({
  runtime,
}) => {
  const { alarmPool } = runtime.database;
  const writer = createAlarmWriter(runtime);
  await writer.submit(1, post('A'));
  let lost = 0;
  alarmPool.on('remove', () => {
    lost += 1;
  });
  const owner = await openOwner(runtime);
  await owner.query('begin; select 1 from tenant_counters for update');
  const waiting = ['B', 'C', 'D'].map((path) => writer.submit(1, post(path)));
  await sleep(6_000);
  await owner.query('commit');
  await owner.end();
  expect(await Promise.all(waiting)).toEqual([2, 3, 4]);
  expect(lost).toBe(0);
});

test('a database that cannot write yet is asked again on a new connection', async ({ runtime, client }) => {
  const machine = client('machine');
  const { alarmPool, pool } = runtime.database;
  expect((await machine.post('/alarms', { path: 'A' })).statusCode).toBe(200);
  const owner = await openOwner(runtime);
  const { rows } = await owner.query<{ name: string }>('select current_database() as name');
  const name = rows[0]?.name ?? '';
  const restart = async (readOnly: string) => {
    await owner.query(`alter database ${name} ${readOnly}`);
    await owner.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [name],
    );
    await expect.poll(() => alarmPool.totalCount + pool.totalCount).toBe(0);
  };
  await restart('set default_transaction_read_only = on');
  const refused = await machine.post('/alarms', { path: 'A' });
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'unavailable']);
  expect(alarmPool.totalCount).toBe(0);
  await owner.query(`alter database ${name} reset default_transaction_read_only`);
  await owner.end();
  expect((await machine.post('/alarms', { path: 'A' })).statusCode).toBe(200);
});

test('several commands on one tag in one batch apply in order', async ({ runtime }) => {
  const writer = createAlarmWriter(runtime);
  const answers = await Promise.all([
    writer.submit(1, post('Warm-up')),
    writer.submit(1, post('X')),
    writer.submit(1, post('X', { raised: false })),
    writer.submit(1, post('X')),
    writer.submit(1, post('X')),
  ]);
  expect(answers).toEqual([1, 2, 2, 2, 2]);
  const entries = await readTenant(runtime.database, 1, (transaction) =>
    readJournal(transaction, { after: 1, limit: 10 }),
  );
  expect(entries.map(({ kind, occurrenceId }) => [kind, occurrenceId])).toEqual([
    ['raised', 2],
    ['reset', 2],
    ['raised', 3],
    ['repeated', 3],
  ]);
});

test('two writers of one tenant, as in two processes, leave no gap and no duplicate', async ({ runtime }) => {
  const writers = [createAlarmWriter(runtime), createAlarmWriter(runtime)];
  await Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      await writers[n % 2]?.submit(1, post(`Tag ${n % 20}`));
      await writers[(n + 1) % 2]?.submit(1, { kind: 'acknowledge', tagId: (n % 20) + 1, actor });
    }),
  );
  const entries = await readTenant(runtime.database, 1, (transaction) =>
    readJournal(transaction, { after: 0, limit: 1_000 }),
  );
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, n) => n + 1));
  const times = entries.map(({ at }) => at.getTime());
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test("each tenant counts its own alarms, and none sees the other's", async ({ runtime, client }) => {
  await createTenant(runtime, { name: 'Other' });
  const [mine, theirs] = [client('operator'), client('operator', { tenantId: 2 })];
  expect((await mine.post('/alarms', { path: 'X' })).body).toBe('1');
  expect((await theirs.post('/alarms', { path: 'X' })).body).toBe('1');
  expect((await mine.post('/alarms', { path: 'Y' })).body).toBe('2');
  expect((await theirs.get('/alarms')).json().paging.total).toBe(1);
  expect((await theirs.post('/alarms/2/acknowledge')).statusCode).toBe(404);
});

test('one Idempotency-Key sent fifty times at once makes one alarm and fifty equal answers', async ({
  client,
}) => {
  const machine = client('machine');
  const send = () => machine.post('/alarms', { alarmMessage: 'SOS' }, { 'idempotency-key': 'k-1' });
  const answers = await Promise.all(Array.from({ length: 50 }, send));
  expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`))).toEqual(new Set(['200 1']));
  expect((await send()).body).toBe('1');
  const other = await machine.post('/alarms', { alarmMessage: 'other' }, { 'idempotency-key': 'k-1' });
  expect(other.statusCode).toBe(409);
  expect(other.json().code).toBe('idempotency-key-reused');
  expect((await machine.get('/alarms')).json().paging.total).toBe(1);
});

test('posts without a path and with different idempotency keys are different alarms', async ({ client }) => {
  const machine = client('machine');
  const send = (key: string) => machine.post('/alarms', { alarmMessage: 'SOS' }, { 'idempotency-key': key });
  expect([(await send('a')).body, (await send('b')).body, (await send('a')).body]).toEqual(['1', '2', '1']);
});

test('a generated path that is in use does not lose the alarm', async ({ client }) => {
  const machine = client('machine');
  await machine.post('/alarms', { path: 'api/2' });
  const answer = await machine.post('/alarms', { alarmMessage: 'SOS' });
  expect([answer.statusCode, answer.body]).toEqual([200, '2']);
  expect((await machine.get('/alarms/2')).json()).toMatchObject({ path: 'api/2.1', message: 'SOS' });
});
