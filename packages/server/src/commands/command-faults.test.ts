import pg from 'pg';
import { expect } from 'vitest';
import {
  dispatchTo,
  outsideWorld,
  workOff as workOffCalls,
} from '../dispatch/testing/simulated-dispatch.fixture.ts';
import { createTenant } from '../people/create-tenant.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import { settleAbandonedRuns } from './settle-abandoned-runs.ts';
import { execute, raise, runsOf, test, workOff, workUntil } from './testing/commands.fixture.ts';
import { isAlive, statOf, until } from './testing/programs.fixture.ts';

/** Writes its own process id and that of a child, and keeps running. */
const stay = 'sleep 300 & echo $! > child; echo $$ > pid; wait';

test('when the runner dies, its runs are unknown and no program remains', async ({
  worker,
  workshop,
  engineer,
}) => {
  const list = worker([
    { id: 1, argv: workshop.script('stay', stay) },
    { id: 2, argv: workshop.script('next', 'echo > begun') },
  ]);
  await raise(engineer, 'boiler', { alarmActions: [execute(1)] });
  await list.work();
  const pid = Number(await until(() => workshop.note('pid')));
  // The runner reports a program before it starts the next one. A report that it never sent could not be acted upon.
  await raise(engineer, 'press', { alarmActions: [execute(2)] });
  await workUntil(list, async () => workshop.note('begun') !== undefined);
  process.kill(list.runner.pid ?? 0, 'SIGKILL');
  const [boiler] = await workOff(list, engineer);
  expect(boiler).toMatchObject({ status: 'unknown', reason: 'the runner died while the program ran' });
  const left = () => [pid, Number(workshop.note('child'))].flatMap((one) => statOf(one) ?? []);
  await expect.poll(left, { timeout: 15_000 }).toEqual([]);
});

test('after the runner died, the next run gets a new one', async ({ worker, workshop, engineer }) => {
  const list = worker([
    { id: 1, argv: workshop.script('stay', stay) },
    { id: 2, argv: workshop.script('print', 'echo well') },
  ]);
  await raise(engineer, 'boiler', { alarmActions: [execute(1)] });
  await list.work();
  await until(() => workshop.note('pid'));
  process.kill(list.runner.pid ?? 0, 'SIGKILL');
  await workOff(list, engineer);
  await raise(engineer, 'press', { alarmActions: [execute(2)] });
  expect(await workOff(list, engineer)).toMatchObject([
    { status: 'unknown' },
    { status: 'done', output: 'well\n' },
  ]);
});

test('a run whose server died is unknown and is not started again', async ({
  worker,
  workshop,
  clock,
  runtime,
  engineer,
}) => {
  const list = worker([{ argv: workshop.script('stay', stay) }]);
  await raise(engineer, 'boiler', { alarmActions: [execute(1)] });
  await list.work();
  const pid = Number(await until(() => workshop.note('pid')));
  clock.advance(9);
  await settleAbandonedRuns(runtime, 10);
  expect(await runsOf(engineer)).toMatchObject([{ status: 'running' }]);
  clock.advance(2);
  await settleAbandonedRuns(runtime, 10);
  const given = { status: 'unknown', reason: 'the server fell silent while the program ran' };
  expect(await runsOf(engineer)).toMatchObject([given]);

  // The server was only slow: its program is ended, and its outcome comes too late.
  await workUntil(list, () => !isAlive(pid));
  await list.work();
  expect(await runsOf(engineer)).toMatchObject([given]);
});

test('a server that stops ends its programs and records it', async ({ worker, workshop, engineer }) => {
  const list = worker([{ argv: workshop.script('stay', stay) }]);
  await raise(engineer, 'boiler', { alarmActions: [execute(1)] });
  await list.work();
  const pid = Number(await until(() => workshop.note('pid')));
  const runner = list.runner.pid ?? 0;
  await list.stop();
  expect(await runsOf(engineer)).toMatchObject([{ status: 'stopped' }]);
  expect([pid, Number(workshop.note('child')), runner].map(isAlive)).toEqual([false, false, false]);
});

test('an endless pattern hangs only the runner, which is then replaced', async ({
  worker,
  workshop,
  engineer,
}) => {
  const params = [{ name: 'word', pattern: '(a+)+', max: 100 }];
  const list = worker([{ argv: workshop.script('note', 'echo ran > ran'), params }], { silenceMs: 800 });
  await raise(engineer, 'boiler', { alarmActions: [execute(1, `${'a'.repeat(60)}!`)] });
  expect(await workOff(list, engineer)).toMatchObject([{ status: 'unknown' }]);
  expect(workshop.note('ran')).toBeUndefined();
});

test('a program that hangs delays no call', async ({ client, worker, workshop, runtime, engineer }) => {
  const admin = client('admin');
  const list = worker([{ argv: workshop.script('stay', stay), timeoutMs: 60_000 }]);
  const media = [{ kind: 'Sms', address: '+33612345678' }];
  const guard = (await admin.post('/users', { username: 'guard', name: 'Guard', media })).json<number>();
  const world = outsideWorld();
  const dispatch = dispatchTo(runtime, world);
  const call = { type: 'CallUser', id: guard };
  await raise(engineer, 'boiler', { alarmActions: [execute(1), call] });
  await list.work();
  await until(() => workshop.note('pid'));
  for (const path of ['b', 'c', 'd']) await raise(engineer, path, { alarmActions: [execute(1), call] });
  await workOffCalls(dispatch);
  expect(world.sent.length).toBeGreaterThan(0);
  expect(await runsOf(engineer)).toMatchObject([{ status: 'running' }, {}, {}, {}]);
});

test('an alarm and its run are stored in the same transaction', async ({ runtime, engineer }) => {
  await raise(engineer, 'boiler', { alarmActions: [execute(1)] });
  const both = await inTenant(runtime.database, 1, ({ client: connection }) =>
    connection.query(`select a.xmin::text = r.xmin::text as together from alarms a, command_runs r`),
  );
  expect(both.rows).toEqual([{ together: true }]);
});

/** Makes all updates of the first tenant's runs fail. */
async function breakFirstTenant({ database }: Runtime): Promise<void> {
  const owner = new pg.Client({ connectionString: database.pool.options.connectionString });
  await owner.connect();
  try {
    await owner.query(`create function fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
      create trigger broken before update on command_runs for each row when (old.tenant_id = 1)
        execute function fail()`);
  } finally {
    await owner.end();
  }
}

test('a tenant whose runs cannot be written does not affect the runs of others', async ({
  client,
  worker,
  workshop,
  clock,
  runtime,
}) => {
  const second = await createTenant(runtime, { name: 'Brume Wind' });
  const other = client('engineer', { tenantId: second });
  const argv = workshop.script('both', 'echo $$ > "pid-$2"; while [ ! -e end ]; do sleep 0.05; done');
  const params = [{ name: 'name', pattern: '.+', max: 9 }];
  const list = worker([
    { argv, params },
    { argv, params, tenantId: second },
  ]);
  await raise(client('engineer'), 'boiler', { alarmActions: [execute(1, 'first')] });
  await raise(other, 'boiler', { alarmActions: [execute(1, 'second')] });
  await workUntil(list, () => Boolean(workshop.note('pid-first') && workshop.note('pid-second')));
  await breakFirstTenant(runtime);
  const leaseOf = () =>
    inTenant(runtime.database, second, ({ client: connection }) =>
      connection.query('select lease_until::text as until from command_runs'),
    );
  const before = (await leaseOf()).rows[0];
  clock.advance(5);
  await list.work();
  expect((await leaseOf()).rows[0]).not.toEqual(before);
  workshop.script('end', '');
  await workUntil(list, async () => (await runsOf(other))[0]?.status === 'done');
  expect(await runsOf(client('engineer'))).toMatchObject([{ status: 'running' }]);
});
