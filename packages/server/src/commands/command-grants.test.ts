import { expect } from 'vitest';
import { permissionsOf } from '../http/permissions.ts';
import type { Principal } from '../http/principal.ts';
import type { Client } from '../testing/app.fixture.ts';
import { execute, raise, runsOf, test, workOff } from './testing/commands.fixture.ts';

/** A key that is limited to the boiler and may redefine the tag that it created there. */
const boilerKey = { keyId: 5, binding: { dataServerIds: [], pathPrefixes: ['boiler'] } };
/** Takes the right to run commands from the client called `planner`. */
function planning(planner: Client, principals: Map<string, Principal>): Client {
  const permissions = new Set(permissionsOf.engineer.filter((one) => one !== 'commands:run'));
  for (const [token, principal] of principals)
    if (principal.name === 'planner') principals.set(token, { ...principal, permissions });
  return planner;
}

const word = { name: 'word', pattern: '[a-z]+', max: 9 };

test.for(['machine', 'operator'] as const)(
  'a %s raises the alarm, and its command is refused',
  async (role, { client, worker, workshop }) => {
    const list = worker([{ argv: workshop.script('note', 'echo ran > ran') }]);
    const alarmId = await raise(client(role), 'boiler', { alarmActions: [execute(1)] });
    expect((await client('viewer').get(`/alarms/${alarmId}`)).json()).toMatchObject({ state: 3 });
    expect(await workOff(list, client('auditor'))).toMatchObject([
      { alarmId, status: 'refused', grantedBy: '', reason: 'whoever defined it may not run commands' },
    ]);
    expect(workshop.note('ran')).toBeUndefined();
  },
);

test('a machine runs the command that an engineer defined, also when it repeats the actions', async ({
  client,
  worker,
  workshop,
}) => {
  const list = worker([{ argv: workshop.script('print', 'echo "$2"'), params: [word] }]);
  const body = { alarmActions: [execute(1, 'hall')] };
  await raise(client('engineer', { userId: 9 }), 'boiler', { ...body, raised: false });
  await raise(client('machine'), 'boiler', body);
  expect(await workOff(list, client('auditor'))).toMatchObject([
    { status: 'done', grantedBy: 'user:9', output: 'hall\n' },
  ]);
});

test('a machine that changes the parameter loses the grant', async ({ client, worker, workshop }) => {
  const list = worker([{ argv: workshop.script('print', 'echo "$2"'), params: [word] }]);
  const machine = client('machine', boilerKey);
  await raise(machine, 'boiler', { raised: false });
  await raise(client('engineer'), 'boiler', { raised: false, alarmActions: [execute(1, 'hall')] });
  await raise(machine, 'boiler', { alarmActions: [execute(1, 'yard')] });
  expect(await workOff(list, client('auditor'))).toMatchObject([{ status: 'refused', grantedBy: '' }]);
});

test('a command granted for one occasion is not granted for another', async ({ client }) => {
  const machine = client('machine', boilerKey);
  await raise(machine, 'boiler', { raised: false });
  await raise(client('engineer'), 'boiler', { raised: false, resetActions: [execute(1)] });
  await raise(machine, 'boiler', { alarmActions: [execute(1)] });
  expect(await runsOf(client('auditor'))).toMatchObject([{ occasion: 'raised', status: 'refused' }]);
});

test('grantedBy in a request is ignored', async ({ client }) => {
  await raise(client('machine'), 'boiler', { alarmActions: [{ ...execute(1), grantedBy: 'user:1' }] });
  expect(await runsOf(client('auditor'))).toMatchObject([{ status: 'refused', grantedBy: '' }]);
});

test('the actions of an alarm do not show grantedBy', async ({ client }) => {
  const id = await raise(client('engineer'), 'boiler', { alarmActions: [execute(1)] });
  const detail = (await client('viewer').get(`/alarms/${id}`)).json<{ alarmActions: object[] }>();
  expect(detail.alarmActions).toEqual([execute(1)]);
});

test('a command of a scenario runs for alarms to which an authorized user assigned the scenario', async ({
  client,
  worker,
  workshop,
  engineer,
}) => {
  const list = worker([{ argv: workshop.script('print', 'echo "$2"'), params: [word] }]);
  const body = { name: 'evacuate', alarmActions: [execute(1, 'hall')] };
  const id = (await engineer.post('/scenarios', body)).json<number>();
  const alarmActions = [{ type: 'Scenario', id }];
  await raise(engineer, 'boiler', { raised: false, alarmActions });
  await raise(client('machine'), 'boiler', { alarmActions });
  await raise(client('machine'), 'valve', { alarmActions });
  expect(await workOff(list, engineer)).toMatchObject([
    { status: 'done', grantedBy: `scenario:${id}`, output: 'hall\n' },
    { status: 'refused', grantedBy: '', reason: 'whoever defined it may not run commands' },
  ]);
});

test('a command added to a scenario later does not run for an alarm to which a machine assigned it', async ({
  client,
  engineer,
}) => {
  const id = (await engineer.post('/scenarios', { name: 'evacuate' })).json<number>();
  await raise(client('machine'), 'boiler', { raised: false, alarmActions: [{ type: 'Scenario', id }] });
  await engineer.put(`/scenarios/${id}`, { name: 'evacuate', alarmActions: [execute(1)] });
  await raise(client('machine'), 'boiler', { alarmActions: [{ type: 'Scenario', id }] });
  expect(await runsOf(engineer)).toMatchObject([{ status: 'refused' }]);
});

test("a scenario of another station runs nothing and calls nobody for a station's own engineer", async ({
  client,
}) => {
  const admin = client('admin');
  await admin.post('/stations', { name: 'South' });
  const body = { name: 'evacuate', stationId: 1, alarmActions: [execute(1)] };
  const id = (await admin.post('/scenarios', body)).json<number>();
  const bound = client('engineer', { stationIds: [2] });
  const alarmActions = [{ type: 'Scenario', id }];
  const alarmId = await raise(bound, 'boiler', { stationId: 2, alarmActions });
  expect(await runsOf(admin)).toEqual([]);
  const detail = (await bound.get(`/alarms/${alarmId}`)).json();
  expect(detail).toMatchObject({ state: 3, alarmActions });
  const [raised] = (await bound.get(`/alarms/${alarmId}/timeline`)).json().items;
  expect(raised).toMatchObject({ kind: 'raised', detail: `Scenario ${id} is not there` });

  // After an authorized user has assigned it, the station's own clients may repeat it.
  await raise(admin, 'boiler', { stationId: 2, raised: false, alarmActions });
  await raise(bound, 'boiler', { stationId: 2, alarmActions });
  expect(await runsOf(admin)).toMatchObject([{ grantedBy: `scenario:${id}` }]);
});

test('a command of the list that is limited to stations does not exist for others', async ({
  client,
  worker,
  workshop,
}) => {
  const admin = client('admin');
  await admin.post('/stations', { name: 'South' });
  const list = worker([{ argv: workshop.script('note', 'echo ran'), stations: [1] }]);
  await raise(client('engineer', { stationIds: [2] }), 'a', { stationId: 2, alarmActions: [execute(1)] });
  await raise(client('engineer', { stationIds: [1] }), 'b', { stationId: 1, alarmActions: [execute(1)] });
  await raise(admin, 'c', { alarmActions: [execute(2)] });
  expect(await workOff(list, admin)).toMatchObject([
    { status: 'refused', reason: 'there is no command 1 in the list' },
    { status: 'done', output: 'ran\n' },
    { status: 'refused', reason: 'there is no command 2 in the list' },
  ]);
});

test('a user without the right to run commands cannot give a tag group a scenario with commands', async ({
  client,
  principals,
  engineer,
}) => {
  const planner = planning(client('engineer', { name: 'planner' }), principals);
  const evacuate = { name: 'evacuate', alarmActions: [execute(1)] };
  const scenarioId = (await engineer.post('/scenarios', evacuate)).json<number>();
  const refused = await planner.post('/taggroups', { name: 'boilers', scenarioId });
  expect([refused.statusCode, refused.json()]).toMatchObject([403, { code: 'not-allowed' }]);
  const { body: id } = await engineer.post('/taggroups', { name: 'boilers', scenarioId });
  expect((await planner.put(`/taggroups/${id}`, { name: 'valves', scenarioId })).statusCode).toBe(200);
});

test("an alarm without actions uses those of its tag group's scenario", async ({ client, engineer }) => {
  const scenario = { name: 'evacuate', resetActions: [execute(5)] };
  const scenarioId = (await engineer.post('/scenarios', scenario)).json<number>();
  const tagGroupId = (await engineer.post('/taggroups', { name: 'boilers', scenarioId })).json<number>();
  await raise(client('machine'), 'boiler', { tagGroupId });
  await client('machine').post('/alarms', { path: 'boiler', raised: false });
  expect(await runsOf(engineer)).toMatchObject([{ occasion: 'reset', scriptId: 5, status: 'queued' }]);
});

test('a user without the right to run commands cannot write a scenario with commands', async ({
  client,
  principals,
}) => {
  const planner = planning(client('engineer', { name: 'planner' }), principals);
  const body = { name: 'evacuate', ackActions: [{ type: 'StopCommand', scriptId: 1 }] };
  const answer = await planner.post('/scenarios', body);
  expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: 'not-allowed' }]);
  const id = (await client('engineer').post('/scenarios', { name: 'calls only' })).json<number>();
  const { headers } = await planner.get(`/scenarios/${id}`);
  const replaced = await planner.put(`/scenarios/${id}`, body, { 'if-match': String(headers['etag']) });
  expect(replaced.statusCode).toBe(403);
  expect((await planner.post('/scenarios', { name: 'none' })).statusCode).toBe(200);
});

test('runs are listed by alarm and by command, newest first, to users of the station', async ({
  client,
  engineer,
}) => {
  const ids = [await raise(engineer, 'a', { alarmActions: [execute(1), execute(2)] })];
  ids.push(await raise(engineer, 'b', { alarmActions: [execute(2)] }));
  const shown = async (query: string) => (await runsOf(engineer, query)).map(({ id }) => id);
  expect(await shown(`&alarmId=${ids[0]}`)).toEqual([1, 2]);
  expect(await shown('&scriptId=2')).toEqual([2, 3]);
  const newest = (await engineer.get('/commands/runs?limit=1')).json();
  expect(newest).toMatchObject({ items: [{ id: 3 }], paging: { offset: 0, limit: 1, total: 3 } });
  expect(await runsOf(client('engineer', { stationIds: [99] }))).toEqual([]);
  expect((await client('operator').get('/commands/runs')).statusCode).toBe(403);
});

test('an alarm with the largest accepted numbers is stored with its command', async ({ client }) => {
  const most = 4_294_967_295;
  const body = { alarmDelay: most, priority: most, alarmActions: [execute(most, 'x'.repeat(4_096))] };
  await raise(client('engineer'), 'boiler', body);
  expect(await runsOf(client('auditor'))).toMatchObject([{ scriptId: most, status: 'queued' }]);
});
