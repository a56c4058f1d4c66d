import type { ObjectUse } from '@tocsin/contract';
import { expect } from 'vitest';
import { type Client, test } from '../testing/app.fixture.ts';

const create = async (client: Client, path: string, body: object) =>
  (await client.post(path, body)).json<number>();
const usesOf = async (client: Client, path: string) =>
  (await client.get(`${path}/uses?limit=100`)).json<{ items: ObjectUse[]; paging: { total: number } }>();
const told = ({ items }: { items: ObjectUse[] }) =>
  items.map(({ kind, name, relation, blocks }) => `${kind} ${name} ${relation}${blocks ? ', blocks' : ''}`);

test('a call group is named by who calls it, who it relieves, and the people it calls', async ({
  client,
}) => {
  const admin = client('admin');
  const anna = await create(admin, '/users', { username: 'anna', name: 'Anna' });
  const ben = await create(admin, '/users', { username: 'ben', name: 'Ben' });
  const group = await create(admin, '/callgroups', {
    name: 'Night',
    userIds: [anna],
    teams: [{ id: 1, name: 'A', userIds: [anna, ben] }],
  });
  await create(admin, '/callgroups', { name: 'Day', reliefGroupId: group });
  await create(admin, '/scenarios', { name: 'Urgent', alarmActions: [{ type: 'CallGroup', id: group }] });
  await admin.post('/alarms', { path: 'level', alarmActions: [{ type: 'CallGroup', id: group }] });
  await admin.put('/dispatch/settings', { fallbackCallGroupId: group });
  const uses = await usesOf(admin, `/callgroups/${group}`);
  expect(told(uses)).toEqual([
    'call-group Day relief, blocks',
    'dispatch-settings  last-resort, blocks',
    'scenario Urgent calls, blocks',
    'tag level calls, blocks',
    'user Anna called',
    'user Ben called',
  ]);
  expect(uses.paging.total).toBe(6);
  expect((await admin.delete(`/callgroups/${group}`)).statusCode).toBe(409);
});

test('a user is named by call groups, scenarios and the keys that stop with them', async ({ client }) => {
  const admin = client('admin');
  const anna = await create(admin, '/users', { username: 'anna', name: 'Anna' });
  await create(admin, '/callgroups', { name: 'Night', teams: [{ id: 1, name: 'A', userIds: [anna] }] });
  await create(admin, '/scenarios', { name: 'Urgent', ackActions: [{ type: 'CallUser', id: anna }] });
  expect(told(await usesOf(admin, `/users/${anna}`))).toEqual([
    'call-group Night member, blocks',
    'scenario Urgent calls, blocks',
  ]);
});

test('a station is named by all that belongs to it, and by accounts that are limited to it', async ({
  client,
}) => {
  const admin = client('admin');
  const station = await create(admin, '/stations', { name: 'Ardenne' });
  expect(told(await usesOf(admin, `/stations/${station}`))).toEqual([]);
  await create(admin, '/dataservers', { name: 'PLC', stationId: station });
  await create(admin, '/taggroups', { name: 'Pumps', stationId: station });
  await create(admin, '/scenarios', { name: 'Calm', stationId: station });
  await create(admin, '/callgroups', { name: 'Guards', stationId: station });
  await create(admin, '/users', { username: 'ben', name: 'Ben', stationIds: [station] });
  await admin.post('/apikeys', { name: 'PLC key', stationIds: [station] });
  await admin.post('/alarms', { path: 'level', stationId: station });
  expect(told(await usesOf(admin, `/stations/${station}`))).toEqual([
    'api-key PLC key limited, blocks',
    'call-group Guards belongs, blocks',
    'data-server PLC belongs, blocks',
    'scenario Calm belongs, blocks',
    'tag level belongs, blocks',
    'tag-group Pumps belongs, blocks',
    'user Ben limited, blocks',
  ]);
});

test('what says that it blocks nothing can be deleted', async ({ client }) => {
  const admin = client('admin');
  const server = await create(admin, '/dataservers', { name: 'PLC' });
  await admin.post('/apikeys', { name: 'PLC key', dataServerIds: [server] });
  expect(told(await usesOf(admin, `/dataservers/${server}`))).toEqual(['api-key PLC key limited']);
  expect((await admin.delete(`/dataservers/${server}`)).statusCode).toBe(204);
});

test('scenarios, tag groups, groupings and data servers name those that use them', async ({ client }) => {
  const admin = client('admin');
  const scenario = await create(admin, '/scenarios', { name: 'Urgent' });
  const group = await create(admin, '/taggroups', { name: 'Pumps', scenarioId: scenario });
  await create(admin, '/taggroups', { name: 'Small pumps', parentId: group });
  await admin.post('/alarms', {
    path: 'level',
    tagGroupId: group,
    alarmActions: [{ type: 'Scenario', id: scenario }],
  });
  const grouping = await create(admin, '/callgroupgroupings', { name: 'North' });
  await create(admin, '/callgroupgroupings', { name: 'North east', parentId: grouping });
  await create(admin, '/callgroups', { name: 'Guards', groupingId: grouping });
  expect(told(await usesOf(admin, `/scenarios/${scenario}`))).toEqual([
    'tag level follows, blocks',
    'tag-group Pumps follows, blocks',
  ]);
  expect(told(await usesOf(admin, `/taggroups/${group}`))).toEqual([
    'tag level belongs, blocks',
    'tag-group Small pumps belongs, blocks',
  ]);
  expect(told(await usesOf(admin, `/callgroupgroupings/${grouping}`))).toEqual([
    'call-group Guards belongs, blocks',
    'grouping North east belongs, blocks',
  ]);
  expect(told(await usesOf(admin, '/dataservers/1'))).toEqual(['tag level belongs, blocks']);
});

test('an engineer of one station is not told what other stations have', async ({ client }) => {
  const admin = client('admin');
  const other = await create(admin, '/stations', { name: 'Ardenne' });
  const scenario = await create(admin, '/scenarios', { name: 'Urgent' });
  await create(admin, '/taggroups', { name: 'Here', stationId: 1, scenarioId: scenario });
  await create(admin, '/taggroups', { name: 'There', stationId: other, scenarioId: scenario });
  const engineer = client('engineer', { stationIds: [1] });
  const uses = await usesOf(engineer, `/scenarios/${scenario}`);
  expect(told(uses)).toEqual(['tag-group Here follows, blocks']);
  expect(uses.paging.total).toBe(1);
  expect((await engineer.get(`/stations/${other}/uses`)).statusCode).toBe(404);
});
