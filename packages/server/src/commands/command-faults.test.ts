import pg from 'pg';
import { expect } from 'vitest';
import { dispatchTo, outsideWorld, workOff as workOffCalls } from '../dispatch/dispatch.fixture.ts';
import { createTenant } from '../people/create-tenant.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { raise, runsOf, test, workOff, workUntil } from './commands.fixture.ts';
import { isAlive, until } from './programs.fixture.ts';
import { settleStrays } from './settle-strays.ts';

const execute = (scriptId: number, parameter = '') => ({ type: 'ExecuteCommand', scriptId, parameter });
/** Notes its own number and that of a child, and stays. */
const stay = 'sleep 300 & echo $! > child; echo $$ > pid; wait';

test('when the runner dies, nobody knows what became of its runs, and no program remains', async ({
  client,
  worker,
  workshop,
}) => {
  const engineer = client('engineer');
  const list = worker([{ argv: workshop.script('stay', stay) }]);
  await raise(engineer, 'boiler', { alarmActions: [execute(1)] });
  await list.work();
  const pid = Number(await until(() => workshop.note('pid')));
  process.kill(list.runner.pid ?? 0, 'SIGKILL');
  expect(await workOff(list, engineer)).toMatchObject([
    { status: 'unknown', reason: 'the runner died while the program ran' },
  ]);
  expect(await until(() => ![pid, Number(workshop.note('child'))].some(isAlive))).toBe(true);
});

test('after the runner died, the next run has a new one', async ({ client, worker, workshop }) => {
  const engineer = client('engineer');
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

test('a run whose server fell silent is unknown, and is not begun again', async ({
  client,
  worker,
  workshop,
  clock,
  runtime,
}) => {
  const engineer = client('engineer');
  const list = worker([{ argv: workshop.script('stay', stay) }]);
  await raise(engineer, 'boiler', { alarmActions: [execute(1)] });
  await list.work();
  const pid = Number(await until(() => workshop.note('pid')));
  clock.advance(9);
  await settleStrays(runtime, 10);
  expect(await runsOf(engineer)).toMatchObject([{ status: 'running' }]);
  clock.advance(2);
  await settleStrays(runtime, 10);
  const given = { status: 'unknown', reason: 'the server fell silent while the program ran' };
  expect(await runsOf(engineer)).toMatchObject([given]);

  // It was only slow: what others count as over must be, and its word comes too late.
  await workUntil(list, () => !isAlive(pid));
  await list.work();
  expect(await runsOf(engineer)).toMatchObject([given]);
});

test('a server that is told to stop ends its programs and says so', async ({ client, worker, workshop }) => {
  const engineer = client('engineer');
  const list = worker([{ argv: workshop.script('stay', stay) }]);
  await raise(engineer, 'boiler', { alarmActions: [execute(1)] });
  await list.work();
  const pid = Number(await until(() => workshop.note('pid')));
  const runner = list.runner.pid ?? 0;
  await list.stop();
  expect(await runsOf(engineer)).toMatchObject([{ status: 'stopped' }]);
  expect([pid, Number(workshop.note('child')), runner].map(isAlive)).toEqual([false, false, false]);
});

test('a pattern that never comes to an end hangs the runner only, and not for long', async ({
  client,
  worker,
  workshop,
}) => {
  const engineer = client('engineer');
  const params = [{ name: 'word', pattern: '(a+)+', max: 100 }];
  const list = worker([{ argv: workshop.script('note', 'echo ran > ran'), params }], { silenceMs: 800 });
  await raise(engineer, 'boiler', { alarmActions: [execute(1, `${'a'.repeat(60)}!`)] });
  expect(await workOff(list, engineer)).toMatchObject([{ status: 'unknown' }]);
  expect(workshop.note('ran')).toBeUndefined();
});

test('a program that hangs delays no call', async ({ client, worker, workshop, runtime }) => {
  const engineer = client('engineer');
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

test('an alarm is raised in the same breath as its run, or not at all', async ({ client, runtime }) => {
  const engineer = client('engineer');
  await raise(engineer, 'boiler', { alarmActions: [execute(1)] });
  const both = await inTenant(runtime.database, 1, ({ client: connection }) =>
    connection.query(`select a.xmin::text = r.xmin::text as together from alarms a, command_runs r`),
  );
  expect(both.rows).toEqual([{ together: true }]);
});

/** From now on the first tenant's runs cannot be written. */
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

test("a tenant whose runs cannot be written keeps nobody else's from being kept and told", async ({
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
