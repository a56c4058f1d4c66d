import { pino } from 'pino';
import { expect } from 'vitest';
import { settleAbandonedRuns } from '../commands/settle-abandoned-runs.ts';
import { pollProviders } from '../dispatch/engine/poll-providers.ts';
import { answersOf, nightShift, sentOf, test } from '../dispatch/testing/answer.fixture.ts';
import { escalationsOf } from '../dispatch/testing/dispatch.fixture.ts';
import { createTenant } from '../people/create-tenant.ts';
import { openDatabase } from '../postgres/database.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import type { Client } from '../testing/app.fixture.ts';
import { giveToPlainOwner } from '../testing/plain-owner.fixture.ts';
import { testBox } from '../testing/test-box.ts';
import { deleteOldCalls } from './delete-old-calls.ts';
import { dropOldMonths } from './drop-old-months.ts';

const tables = [
  'escalations',
  'escalation_events',
  'call_attempts',
  'answer_records',
  'calls',
  'command_runs',
  'command_records',
];

/** How many rows each table has, of a tenant. */
async function rowsOf({ database }: Runtime, tenantId = 1): Promise<Record<string, number>> {
  return inTenant(database, tenantId, async ({ client }) => {
    const counts: Record<string, number> = {};
    for (const table of tables) {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::integer as count from ${table} where tenant_id = $1`,
        [tenantId],
      );
      counts[table] = rows[0]?.count ?? 0;
    }
    return counts;
  });
}

const nothing = Object.fromEntries(tables.map((table) => [table, 0]));

const timelineOf = async (admin: Client, id: number) =>
  (await admin.get(`/alarms/${id}/timeline?limit=1000`)).json<{ items: { kind: string }[] }>().items;

test.for([
  ['each in a table of its own', "select make_partitions('2024-12-01Z', 14)"],
  ['all in one table', 'select 1'],
] as const)(
  'calls for alarms and manual calls are deleted with the histories of that time: months %s',
  async ([, preparation], { runtime, client, clock, world, work, report }) => {
    await runtime.database.pool.query(preparation);
    await giveToPlainOwner(runtime);
    const admin = client('admin');
    clock.set('2025-01-10T12:00:00Z');
    const { raise, ada } = await nightShift(admin);
    const command = { type: 'ExecuteCommand', scriptId: 7 };
    const id = await raise('boiler/1', { resetActions: [command] });
    await work();
    const { attemptId, answer } = sentOf(world);
    await report({ attemptId, reference: '', event: 'digits', digits: answer?.code });
    await raise('boiler/1', { raised: false, resetActions: [command] });
    await admin.post('/call/users', { userIds: [ada], msgText: 'Come' });
    await work();
    const running = sentOf(world, 1);
    await report({ attemptId: running.attemptId, reference: '', event: 'answered' });
    await work();
    const { items } = (await admin.get('/calls')).json<{ items: { id: number }[] }>();
    expect(items).toEqual([]);
    clock.advance(61);
    await settleAbandonedRuns(runtime, 10);
    const before = await rowsOf(runtime);
    expect(before).toEqual({
      ...before,
      escalations: 2,
      call_attempts: 2,
      answer_records: 1,
      calls: 1,
      command_runs: 1,
    });
    expect(before['command_records']).toBe(1);

    clock.set('2026-03-01T06:00:00Z');
    await deleteOldCalls(runtime, 0);
    await deleteOldCalls(runtime, 12);
    // The month is not dropped yet, so its timelines are complete.
    expect(await rowsOf(runtime)).toEqual(before);
    expect((await timelineOf(admin, id)).map(({ kind }) => kind)).toContain('called');
    await dropOldMonths(runtime, 14);
    await deleteOldCalls(runtime, 14);
    expect(await rowsOf(runtime)).toEqual(before);

    await dropOldMonths(runtime, 12);
    expect(await deleteOldCalls(runtime, 12)).toEqual({ escalations: 2, attempts: 2, calls: 1, runs: 1 });
    expect(await rowsOf(runtime)).toEqual(nothing);
  },
);

test('an active alarm keeps its complete timeline, however old its calls are', async ({
  runtime,
  client,
  clock,
  work,
}) => {
  const admin = client('admin');
  clock.set('2024-06-10T12:00:00Z');
  const { raise } = await nightShift(admin);
  const id = await raise();
  await work();
  await admin.post(`/alarms/${id}/acknowledge`);
  clock.set('2024-08-10T12:00:00Z');
  const other = await raise('boiler/2');
  await work();
  await admin.post(`/alarms/${other}/acknowledge`);
  await raise('boiler/2', { raised: false });
  const before = [await timelineOf(admin, id), await timelineOf(admin, other)];
  expect(before.flat().map(({ kind }) => kind)).toContain('called');
  clock.set('2026-03-01T06:00:00Z');
  await dropOldMonths(runtime, 3);
  await deleteOldCalls(runtime, 3);
  expect([await timelineOf(admin, id), await timelineOf(admin, other)]).toEqual([before[0], []]);
});

test('an open escalation of any age stays with all its attempts, and goes on calling', async ({
  runtime,
  client,
  clock,
  world,
  work,
  dispatch,
}) => {
  const admin = client('admin');
  clock.set('2021-01-10T12:00:00Z');
  const { raise } = await nightShift(admin);
  const event = { eventCondition: { transitory: true } };
  const closed = await raise('boiler/2', event);
  await work();
  await admin.post(`/alarms/${closed}/acknowledge`);
  await work();
  const id = await raise('boiler/1', event);
  await work();
  expect(world.sent).toHaveLength(2);
  clock.set('2026-03-01T06:00:00Z');
  await dropOldMonths(runtime, 1);
  expect(await deleteOldCalls(runtime, 1)).toMatchObject({ escalations: 1, attempts: 1 });
  expect(await escalationsOf(runtime)).toEqual([{ occasion: 'raised', closedReason: null }]);
  expect(await rowsOf(runtime)).toMatchObject({ escalations: 1, call_attempts: 1 });
  // The call of 2021 is still said to ring: the provider knows nothing of it.
  await pollProviders(dispatch, 10);
  await work();
  expect(world.sent.length).toBeGreaterThan(2);
  await admin.post(`/alarms/${id}/acknowledge`);
  expect(await escalationsOf(runtime)).toEqual([{ occasion: 'raised', closedReason: 'acknowledged' }]);
});

/** Adds old closed escalations, each with this number of attempts, which have one answer each. */
async function addPast(
  { database }: Runtime,
  tenantId: number,
  size: { escalations: number; attempts: number },
) {
  await inTenant(database, tenantId, async ({ client }) => {
    await client.query(
      `with d as (
         insert into escalations (tenant_id, occasion, tag_id, occurrence_id, priority, plan, state, opened_at, first_due_at,
           due_at, closed_at, closed_reason)
         select $1, 'raised', 1, n, 1, '{}', '{}', at, at, at, at, 'acknowledged'
         from generate_series(1, $2) as n, lateral (select '2020-01-01Z'::timestamptz + make_interval(mins => n)) as t(at)
         returning id, opened_at
       ), a as (
         insert into call_attempts (tenant_id, id, escalation_id, tag_id, user_id, user_name, medium, address, message, attempt,
           status, outcome, reason, started_at, ended_at, search_text, sent_as)
         select $1, row_number() over (), d.id, 1, 1, 'Ada', 'Voice', '+33600000001', 'x', n, 'Acknowledged',
           'acknowledged', '', d.opened_at, d.opened_at, '', row_number() over ()
         from d, generate_series(1, $3) as n returning id, started_at
       )
       insert into answer_records (tenant_id, attempt_id, number, at, method, intent, judgement)
       select $1, id, 1, started_at, 'provider', 'take', 'accepted' from a`,
      [tenantId, size.escalations, size.attempts],
    );
  });
}

test('two servers at once delete each row once, and do not wait for locked rows', async ({
  runtime,
  clock,
}) => {
  const second = await createTenant(runtime, { name: 'Brume Wind' });
  await addPast(runtime, 1, { escalations: 900, attempts: 2 });
  await addPast(runtime, second, { escalations: 300, attempts: 1 });
  const other = openOther(runtime, clock.now);
  try {
    const counts = await inTenant(runtime.database, 1, async ({ client }) => {
      // An old call is being answered at this moment.
      await client.query(`select from escalations where tenant_id = 1 and closed_at = (
        select min(closed_at) from escalations where tenant_id = 1) for update`);
      const both = await Promise.all([deleteOldCalls(runtime, 12), deleteOldCalls(other.runtime, 12)]);
      expect(both.every(({ escalations }) => escalations > 0)).toBe(true);
      return both;
    });
    const sum = (of: 'escalations' | 'attempts') => counts.reduce((all, one) => all + one[of], 0);
    expect([sum('escalations'), sum('attempts')]).toEqual([1_199, 2_098]);
    expect(await rowsOf(runtime)).toMatchObject({ escalations: 1, call_attempts: 2, answer_records: 2 });
    await deleteOldCalls(other.runtime, 12);
    expect(await rowsOf(runtime)).toEqual(nothing);
    expect(await rowsOf(runtime, second)).toEqual(nothing);
  } finally {
    await other.close();
  }
});

/** Another server on the same database. */
function openOther({ database }: Runtime, now: () => Date) {
  const { options } = database.pool;
  const url = options.connectionString ?? '';
  const own = openDatabase({ url, connections: 4, clock: now });
  return {
    runtime: { database: own, log: pino({ level: 'silent' }), box: testBox },
    close: () => own.close(),
  };
}

test('an escalation with very many attempts is deleted too', async ({ runtime }) => {
  await addPast(runtime, 1, { escalations: 2, attempts: 2_600 });
  expect(await deleteOldCalls(runtime, 12)).toMatchObject({ escalations: 2, attempts: 5_200 });
  expect(await rowsOf(runtime)).toEqual(nothing);
});

test('an answer for several alarms stays until the last of them is deleted', async ({ runtime, clock }) => {
  await addPast(runtime, 1, { escalations: 2, attempts: 1 });
  const change = (text: string) => inTenant(runtime.database, 1, ({ client }) => client.query(text));
  // One message was for both alarms, and has the name of the first.
  await change('update call_attempts set sent_as = 1 where id = 2');
  await change('delete from answer_records where attempt_id = 2');
  await change(
    "update escalations set closed_at = '2026-02-10Z' where id = (select escalation_id from call_attempts where id = 2)",
  );
  await deleteOldCalls(runtime, 12);
  expect(await rowsOf(runtime)).toMatchObject({ escalations: 2, call_attempts: 2, answer_records: 1 });
  clock.set('2027-04-01T06:00:00Z');
  await deleteOldCalls(runtime, 12);
  expect(await rowsOf(runtime)).toEqual(nothing);
});

test('a report is stored for as long as it could be repeated, and then deleted', async ({
  runtime,
  client,
  clock,
  world,
  work,
  report,
}) => {
  const admin = client('admin');
  const { raise } = await nightShift(admin);
  await raise();
  await work();
  const { attemptId } = sentOf(world);
  // The clock of the provider is ahead by the allowed maximum.
  const now = new Date(clock.now().getTime() + 299_000);
  const signing = { id: 'same', now };
  const pressed = { attemptId, reference: '', event: 'digits', digits: '1' };
  expect((await report(pressed, signing)).statusCode).toBe(204);
  clock.advance(597);
  await deleteOldCalls(runtime, 0);
  expect((await report(pressed, signing)).statusCode).toBe(204);
  expect((await answersOf(runtime)).map(({ judgement }) => judgement)).toEqual(['wrong', 'replayed']);
  const storedReports = () =>
    inTenant(runtime.database, 1, (transaction) =>
      transaction.selectFrom('providerCallbacks').select('callbackId').execute(),
    );
  expect(await storedReports()).toEqual([{ callbackId: 'same' }]);
  clock.advance(3_600);
  await deleteOldCalls(runtime, 0);
  expect(await storedReports()).toEqual([]);
});
