import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect } from 'vitest';
import { type JournalEntry, readJournal } from '../../journal/journal.store.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, readTenant } from '../../postgres/tenant-transaction.ts';
import { test } from '../../testing/plant.fixture.ts';
import type { AlarmCommand } from '../decide/alarm-command.ts';
import { type AlarmWriter, createAlarmWriter } from './alarm-writer.ts';

const actor = { name: 'PLC', subject: 'key:1', userId: undefined, stationIds: undefined };
const post = (path: string, more: object = {}): AlarmCommand => ({
  kind: 'post',
  actor,
  body: { path, ...more },
});
const posts = (count: number, name = 'Pump') => Array.from({ length: count }, (_, n) => post(`${name} ${n}`));
const submitAll = ({ submit }: AlarmWriter, commands: readonly AlarmCommand[]) =>
  Promise.allSettled(commands.map((command) => submit(1, command)));
const statusesOf = (results: readonly PromiseSettledResult<unknown>[]) =>
  [...new Set(results.map(({ status }) => status))].join();

function journalOf({ database }: Runtime): Promise<JournalEntry[]> {
  return readTenant(database, 1, (transaction) => readJournal(transaction, { after: 0, limit: 5_000 }));
}

/** As the owner of the database: the server's own role does not see other connections. */
async function asOwner<Row extends object>({ database }: Runtime, text: string, values: unknown[]) {
  const client = new pg.Client({ connectionString: database.pool.options.connectionString });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** The connections that block those which run such a statement. */
async function blockersOf(runtime: Runtime, statement: string): Promise<number[]> {
  const rows = await asOwner<{ blockers: number[] }>(
    runtime,
    `select pg_blocking_pids(pid) as blockers from pg_stat_activity
     where datname = current_database() and query like $1 and wait_event_type = 'Lock'`,
    [`%${statement}%`],
  );
  return rows.flatMap(({ blockers }) => blockers);
}

/**
 * Holds a batch that resets tag 1 up with a lock on its row. Runs `before` before a second batch is decided, and `after`
 * after that, with the process id of the connection that writes the first.
 */
async function withBatchHeldUp(
  runtime: Runtime,
  writer: AlarmWriter,
  { before, after }: { before?: () => Promise<unknown>; after?: (firstWriter: number) => Promise<unknown> },
) {
  await submitAll(writer, posts(3));
  return inTenant(runtime.database, 1, async ({ client }) => {
    await client.query('select 1 from alarms where tenant_id = 1 and tag_id = 1 for update');
    const first = submitAll(writer, [post('Pump 0', { raised: false })]);
    await expect.poll(() => blockersOf(runtime, 'insert into alarms')).toHaveLength(1);
    await before?.();
    const second = submitAll(writer, [post('Pump 0'), ...posts(40, 'Fan')]);
    await expect.poll(() => blockersOf(runtime, 'lock_tenant_counters')).not.toHaveLength(0);
    const [firstWriter = 0] = await blockersOf(runtime, 'lock_tenant_counters');
    await after?.(firstWriter);
    await client.query('commit; begin');
    return { first: await first, second: await second };
  });
}

const kindsOfFirstTag = (entries: readonly JournalEntry[]) =>
  entries.filter(({ tagId }) => tagId === 1).map(({ kind }) => kind);
const expectDense = (entries: readonly JournalEntry[]) =>
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, n) => n + 1));

test('in a storm the next batch is decided while the database still writes this one', async ({ runtime }) => {
  const committed: number[] = [];
  const writer = createAlarmWriter(runtime, {
    pipelineThreshold: 8,
    onCommitted: (_tenantId, entries) => committed.push(...entries.map(({ seq }) => seq)),
  });
  const { first, second } = await withBatchHeldUp(runtime, writer, {});
  expect(statusesOf([...first, ...second])).toBe('fulfilled');
  const entries = await journalOf(runtime);
  expectDense(entries);
  expect(entries).toHaveLength(3 + 1 + 41);
  expect(kindsOfFirstTag(entries)).toEqual(['raised', 'reset', 'raised']);
  expect(committed).toEqual(entries.map(({ seq }) => seq));
});

test('few commands wait for the batch before them, and join those that arrive meanwhile', async ({
  runtime,
}) => {
  const batches: number[] = [];
  const writer = createAlarmWriter(runtime, {
    onCommitted: (_tenantId, entries) => batches.push(entries.length),
  });
  await submitAll(writer, posts(1));
  const results = await inTenant(runtime.database, 1, async ({ client }) => {
    await client.query('select 1 from alarms where tenant_id = 1 and tag_id = 1 for update');
    const first = submitAll(writer, posts(1));
    await expect.poll(() => blockersOf(runtime, 'insert into alarms')).toHaveLength(1);
    const few = submitAll(writer, posts(30));
    expect(runtime.database.alarmPool.idleCount + 1).toBe(runtime.database.alarmPool.totalCount);
    const fewMore = submitAll(writer, posts(30));
    await client.query('commit; begin');
    return [await first, await few, await fewMore].flat();
  });
  expect(statusesOf(results)).toBe('fulfilled');
  expect(batches).toEqual([1, 1, 60]);
});

test('a batch that fails does not fail the one that was decided on its result', async ({ runtime }) => {
  const writer = createAlarmWriter(runtime, { pipelineThreshold: 8 });
  const { first, second } = await withBatchHeldUp(runtime, writer, {
    after: (firstWriter) => asOwner(runtime, 'select pg_cancel_backend($1)', [firstWriter]),
  });
  // Cancelled, the first is not tried again: its one command has failed, and the tag was not reset.
  expect([statusesOf(first), statusesOf(second)]).toEqual(['rejected', 'fulfilled']);
  const entries = await journalOf(runtime);
  expectDense(entries);
  expect(kindsOfFirstTag(entries)).toEqual(['raised', 'repeated']);
});

test('a batch whose connection is lost does not fail the one that was decided on its result', async ({
  runtime,
}) => {
  const writer = createAlarmWriter(runtime, { pipelineThreshold: 8 });
  const { first, second } = await withBatchHeldUp(runtime, writer, {
    after: (firstWriter) => asOwner(runtime, 'select pg_terminate_backend($1)', [firstWriter]),
  });
  expect(first).toMatchObject([{ status: 'rejected', reason: { code: 'outcome-unknown' } }]);
  expect(statusesOf(second)).toBe('fulfilled');
  const entries = await journalOf(runtime);
  expectDense(entries);
  expect(kindsOfFirstTag(entries)).toEqual(['raised', 'repeated']);
});

test('when another server writes in between, a batch is decided again', async ({ runtime }) => {
  const writer = createAlarmWriter(runtime, { pipelineThreshold: 8 });
  const other = createAlarmWriter(runtime);
  const results: Promise<PromiseSettledResult<unknown>[]>[] = [];
  const { first, second } = await withBatchHeldUp(runtime, writer, {
    before: async () => {
      results.push(submitAll(other, [post('Pump 0', { alarmMessage: 'hot' })]));
      await expect.poll(() => blockersOf(runtime, 'for update')).toHaveLength(1);
    },
  });
  expect(statusesOf([...first, ...second, ...(await Promise.all(results)).flat()])).toBe('fulfilled');
  const entries = await journalOf(runtime);
  expectDense(entries);
  expect(kindsOfFirstTag(entries)).toEqual(['raised', 'reset', 'raised', 'repeated']);
});

test('no batch is decided before a batch without changes is done, because their order could not be checked', async ({
  runtime,
}) => {
  const { alarmPool } = runtime.database;
  const writer = createAlarmWriter(runtime, { pipelineThreshold: 1 });
  await submitAll(writer, posts(3));
  await inTenant(runtime.database, 1, async ({ client: holdsTag }) => {
    await holdsTag.query('select 1 from alarms where tenant_id = 1 and tag_id = 1 for update');
    const first = submitAll(writer, [post('Pump 0', { raised: false })]);
    await expect.poll(() => blockersOf(runtime, 'insert into alarms')).toHaveLength(1);
    const later = await inTenant(runtime.database, 1, async ({ client: holdsCounters }) => {
      const held = holdsCounters.query('select 1 from tenant_counters where tenant_id = 1 for update');
      await expect.poll(() => blockersOf(runtime, 'from tenant_counters')).toHaveLength(1);
      const refused = submitAll(writer, [{ kind: 'acknowledge', tagId: 4, actor }]);
      await expect.poll(() => blockersOf(runtime, 'lock_tenant_counters')).not.toHaveLength(0);
      const creating = submitAll(writer, [post('Fan')]);
      await holdsTag.query('commit; begin');
      await Promise.all([first, held]);
      // Enough time for the third batch to start, if it did.
      await sleep(100);
      expect(alarmPool.totalCount - alarmPool.idleCount).toBe(1);
      return { refused, creating };
    });
    expect(await later.refused).toMatchObject([{ status: 'rejected', reason: { code: 'not-found' } }]);
    expect(await later.creating).toEqual([{ status: 'fulfilled', value: 4 }]);
  });
});
