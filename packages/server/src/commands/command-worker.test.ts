import { expect } from 'vitest';
import { inTenant } from '../postgres/tenant-transaction.ts';
import { inShort, trailOf } from '../testing/audit.fixture.ts';
import { settleAbandonedRuns } from './settle-abandoned-runs.ts';
import { execute, listHash, raise, runsOf, test, workOff, workUntil } from './testing/commands.fixture.ts';
import { isAlive, until } from './testing/programs.fixture.ts';

const pump = { name: 'pump', pattern: 'pump[0-9]', max: 10 };
/** Writes its process id and keeps running. */
const stay = 'echo $$ > "pid-$2"; sleep 300';

test('an alarm runs the program that its action names, with its parameter', async ({
  client,
  worker,
  workshop,
}) => {
  const engineer = client('engineer', { userId: 7 });
  const siren = worker([{ id: 4, argv: workshop.script('siren', 'echo "$2 on"'), params: [pump] }]);
  const alarmId = await raise(engineer, 'boiler', { alarmActions: [execute(4, 'pump3')] });
  expect(await workOff(siren, engineer)).toEqual([
    {
      id: 1,
      type: 'ExecuteCommand',
      scriptId: 4,
      parameter: 'pump3',
      alarmId,
      occasion: 'raised',
      grantedBy: 'user:7',
      status: 'done',
      reason: '',
      listHash,
      orderTime: '2026-03-01T07:00:00+01:00',
      startTime: '2026-03-01T07:00:00+01:00',
      endTime: '2026-03-01T07:00:00+01:00',
      exitCode: 0,
      signal: '',
      output: 'pump3 on\n',
      outputCut: false,
    },
  ]);
});

test('a program that is run is in the audit trail, one that is refused is not', async ({
  client,
  worker,
  workshop,
  runtime,
}) => {
  const engineer = client('engineer', { userId: 7 });
  const siren = worker([{ id: 4, argv: workshop.script('siren', 'true'), params: [pump] }]);
  const actions = [execute(4, 'pump3'), execute(9)];
  const alarmId = await raise(engineer, 'boiler', { alarmActions: actions });
  await workOff(siren, engineer);
  const [, run, ...more] = await trailOf(runtime);
  expect(more.map(inShort)).toEqual([]);
  expect(run).toMatchObject({
    action: 'command.run',
    object: { kind: 'command', id: '4' },
    actor: { kind: 'system' },
    after: { alarmId, occasion: 'raised', parameter: 'pump3', grantedBy: 'user:7' },
  });
});

test('one record is written before and one after a run, and none can be changed', async ({
  worker,
  workshop,
  runtime,
  engineer,
}) => {
  const argv = workshop.script('fail', 'exit 2');
  await raise(engineer, 'boiler', { alarmActions: [execute(1)] });
  await workOff(worker([{ argv }]), engineer);
  const records = await inTenant(runtime.database, 1, (transaction) =>
    transaction.selectFrom('commandRecords').select(['number', 'kind', 'detail']).orderBy('number').execute(),
  );
  expect(records).toEqual([
    { number: 1, kind: 'began', detail: { argv, parameter: '', grantedBy: 'user:1', listHash } },
    {
      number: 2,
      kind: 'ended',
      detail: { status: 'failed', reason: 'it ended with 2', exitCode: 2, signal: '' },
    },
  ]);
  for (const change of ["update command_records set kind = 'ended'", 'delete from command_records']) {
    const attempt = inTenant(runtime.database, 1, ({ client: connection }) => connection.query(change));
    await expect(attempt).rejects.toThrow(/permission denied/);
  }
});

test('reset and acknowledgment run their commands', async ({ client, worker, workshop, engineer }) => {
  const argv = workshop.script('note', 'true');
  const actions = { alarmActions: [execute(1)], resetActions: [execute(2)], ackActions: [execute(3)] };
  const id = await raise(engineer, 'boiler', actions);
  await engineer.post(`/alarms/${id}/acknowledge`);
  await client('machine').post('/alarms', { path: 'boiler', raised: false });
  const runs = await workOff(worker([1, 2, 3].map((one) => ({ id: one, argv }))), engineer);
  expect(runs.map(({ occasion, scriptId, status }) => [occasion, scriptId, status])).toEqual([
    ['raised', 1, 'done'],
    ['acknowledged', 3, 'done'],
    ['reset', 2, 'done'],
  ]);
});

test('a repeated alarm does not run its command again', async ({ worker, workshop, engineer }) => {
  const note = worker([{ argv: workshop.script('note', 'true') }]);
  for (const _ of [1, 2, 3]) await raise(engineer, 'boiler', { alarmActions: [execute(1)] });
  expect(await workOff(note, engineer)).toHaveLength(1);
});

test('a command that is not in the list is refused', async ({ worker, workshop, engineer }) => {
  const list = worker([{ id: 1, argv: workshop.script('note', 'echo ran > ran') }]);
  await raise(engineer, 'boiler', { alarmActions: [execute(99)] });
  const [run] = await workOff(list, engineer);
  expect(run).toMatchObject({ status: 'refused', reason: 'there is no command 99 in the list', listHash });
  expect(workshop.note('ran')).toBeUndefined();
});

test("another tenant's command is not in the list", async ({ worker, workshop, engineer }) => {
  const list = worker([{ id: 1, tenantId: 2, argv: workshop.script('note', 'echo ran > ran') }]);
  await raise(engineer, 'boiler', { alarmActions: [execute(1)] });
  expect(await workOff(list, engineer)).toMatchObject([{ status: 'refused' }]);
  expect(workshop.note('ran')).toBeUndefined();
});

test.for(['pump12', '$(id)', '-pump1', 'pump1\nx'])(
  'the parameter %j is refused',
  async (parameter, { worker, workshop, engineer }) => {
    const list = worker([{ argv: workshop.script('note', 'echo ran > ran'), params: [pump] }]);
    await raise(engineer, 'boiler', { alarmActions: [execute(1, parameter)] });
    const [run] = await workOff(list, engineer);
    expect(run).toMatchObject({ status: 'refused', reason: expect.stringMatching(/^pump /) });
    expect(workshop.note('ran')).toBeUndefined();
  },
);

test('maxParallel limits the runs of a command; the others wait', async ({
  worker,
  workshop,
  clock,
  engineer,
}) => {
  const text = 'mkdir busy || echo twice > twice; sleep 0.1; rmdir busy';
  const list = worker([{ argv: workshop.script('alone', text), maxParallel: 1 }]);
  for (const path of ['a', 'b', 'c']) await raise(engineer, path, { alarmActions: [execute(1)] });
  const atOnce = new Set<number>();
  await workUntil(list, async () => {
    clock.advance(1);
    const runs = await runsOf(engineer);
    atOnce.add(runs.filter(({ status }) => status === 'running').length);
    return runs.every(({ status }) => status === 'done');
  });
  expect(Math.max(...atOnce)).toBe(1);
  expect(workshop.note('twice')).toBeUndefined();
});

test('StopCommand ends only programs of the same alarm', async ({ worker, workshop, engineer }) => {
  const list = worker([
    { argv: workshop.script('stay', stay), params: [{ name: 'name', pattern: '.+', max: 9 }] },
  ]);
  const stop = { resetActions: [{ type: 'StopCommand', scriptId: 1 }] };
  await raise(engineer, 'boiler', { alarmActions: [execute(1, 'boiler')], ...stop });
  await raise(engineer, 'press', { alarmActions: [execute(1, 'press')] });
  await list.work();
  const boiler = Number(await until(() => workshop.note('pid-boiler')));
  const press = Number(await until(() => workshop.note('pid-press')));
  await engineer.post('/alarms', { path: 'boiler', raised: false });
  await workUntil(list, async () => (await runsOf(engineer))[0]?.status === 'stopped');
  expect(await runsOf(engineer)).toMatchObject([
    { parameter: 'boiler', status: 'stopped' },
    { parameter: 'press', status: 'running' },
    { type: 'StopCommand', status: 'done', reason: '1 to be ended' },
  ]);
  expect([boiler, press].map(isAlive)).toEqual([false, true]);
});

test('a run that is stopped before it began does not begin', async ({ worker, workshop, engineer }) => {
  const list = worker([{ argv: workshop.script('note', 'echo ran > ran') }]);
  const actions = [{ type: 'StopCommand', scriptId: 1 }];
  await raise(engineer, 'boiler', { alarmDelay: 30, alarmActions: [execute(1)], ackActions: actions });
  await engineer.post('/alarms/1/acknowledge');
  expect(await workOff(list, engineer)).toMatchObject([
    { status: 'stopped', reason: 'it was ended before it began' },
    { type: 'StopCommand', status: 'done' },
  ]);
  expect(workshop.note('ran')).toBeUndefined();
});

test('a delayed alarm runs its program after the delay, unless it is over by then', async ({
  worker,
  workshop,
  clock,
  engineer,
}) => {
  const list = worker([{ argv: workshop.script('note', 'true') }]);
  for (const path of ['a', 'b']) await raise(engineer, path, { alarmDelay: 30, alarmActions: [execute(1)] });
  await list.work();
  expect(await runsOf(engineer)).toMatchObject([{ status: 'queued' }, { status: 'queued' }]);
  await engineer.post('/alarms', { path: 'b', raised: false });
  clock.advance(31);
  expect(await workOff(list, engineer)).toMatchObject([
    { status: 'done' },
    { status: 'refused', reason: 'the alarm was over before its delay' },
  ]);
});

test('a masked alarm runs nothing', async ({ worker, workshop, engineer }) => {
  const list = worker([{ argv: workshop.script('note', 'true') }]);
  const id = await raise(engineer, 'boiler', { raised: false, alarmActions: [execute(1)] });
  await engineer.post(`/alarms/${id}/mask`, { reason: 'work' });
  await raise(engineer, 'boiler');
  expect(await workOff(list, engineer)).toMatchObject([{ status: 'refused', reason: 'the alarm is masked' }]);
});

test('a command refused because of a mask runs once when the mask ends', async ({
  worker,
  workshop,
  engineer,
}) => {
  const list = worker([{ argv: workshop.script('note', 'true') }]);
  const id = await raise(engineer, 'boiler', { raised: false, alarmActions: [execute(1)] });
  await engineer.post(`/alarms/${id}/mask`, { reason: 'work' });
  await raise(engineer, 'boiler');
  await workOff(list, engineer);
  for (const _ of [1, 2]) {
    await engineer.post(`/alarms/${id}/unmask`, { reason: 'done' });
    await workOff(list, engineer);
    await engineer.post(`/alarms/${id}/mask`, { reason: 'work' });
  }
  expect(await runsOf(engineer)).toMatchObject([
    { status: 'refused', reason: 'the alarm was masked; it was ordered again after the mask' },
    { status: 'done', occasion: 'raised', scriptId: 1, alarmId: id },
  ]);
});

test('a delayed program that fell due under a mask runs when the mask ends', async ({
  worker,
  workshop,
  clock,
  engineer,
}) => {
  const list = worker([{ argv: workshop.script('note', 'true') }]);
  const id = await raise(engineer, 'boiler', { alarmDelay: 30, alarmActions: [execute(1)] });
  await engineer.post(`/alarms/${id}/mask`, { reason: 'work', seconds: 600 });
  clock.advance(31);
  expect(await workOff(list, engineer)).toMatchObject([{ status: 'refused', reason: 'the alarm is masked' }]);
  await engineer.post(`/alarms/${id}/unmask`, { reason: 'done' });
  expect(await workOff(list, engineer)).toMatchObject([{ status: 'refused' }, { status: 'done' }]);
});

test('a mask that ends on an acknowledged alarm runs nothing', async ({ worker, workshop, engineer }) => {
  const list = worker([{ argv: workshop.script('note', 'true') }]);
  const id = await raise(engineer, 'boiler', { raised: false, alarmActions: [execute(1)] });
  await engineer.post(`/alarms/${id}/mask`, { reason: 'work' });
  await raise(engineer, 'boiler');
  await engineer.post(`/alarms/${id}/acknowledge`);
  await engineer.post(`/alarms/${id}/unmask`, { reason: 'done' });
  expect(await workOff(list, engineer)).toMatchObject([{ status: 'refused', reason: 'the alarm is masked' }]);
});

test('the timeline of an alarm shows a refused program at once', async ({ client, engineer }) => {
  const id = await raise(engineer, 'boiler', { raised: false, alarmActions: [execute(4, 'pump3')] });
  await engineer.post(`/alarms/${id}/mask`, { reason: 'work' });
  await raise(engineer, 'boiler');
  const timeline = async (role: 'engineer' | 'machine') =>
    (await client(role).get(`/alarms/${id}/timeline?limit=100`)).json().items;
  expect((await timeline('engineer')).slice(-2)).toMatchObject([
    { kind: 'raised', seq: 3 },
    {
      kind: 'command-refused',
      seq: 3,
      state: 7,
      actor: '',
      detail: 'the alarm is masked',
      command: { runId: 1, type: 'ExecuteCommand', scriptId: 4, parameter: 'pump3' },
    },
  ]);
  expect((await timeline('machine')).at(-1)).toMatchObject({ kind: 'raised' });
});

test('where no server may run commands, a run is refused after a minute', async ({
  clock,
  runtime,
  engineer,
}) => {
  await raise(engineer, 'boiler', { alarmActions: [execute(1)] });
  clock.advance(60);
  await settleAbandonedRuns(runtime, 10);
  expect(await runsOf(engineer)).toMatchObject([{ status: 'queued' }]);
  clock.advance(1);
  await settleAbandonedRuns(runtime, 10);
  expect(await runsOf(engineer)).toMatchObject([
    { status: 'refused', reason: 'no server that may run commands took it up in time' },
  ]);
});

test('a program is not started late', async ({ worker, workshop, clock, engineer }) => {
  const list = worker([{ argv: workshop.script('note', 'echo ran > ran') }]);
  await raise(engineer, 'boiler', { alarmActions: [execute(1)] });
  clock.advance(61);
  expect(await workOff(list, engineer)).toMatchObject([
    { status: 'refused', reason: 'it could not be begun in time' },
  ]);
  expect(workshop.note('ran')).toBeUndefined();
});
