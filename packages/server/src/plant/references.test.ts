import { describe, expect } from 'vitest';
import { createTenant } from '../people/create-tenant.ts';
import { type Client, test } from '../testing/app.fixture.ts';

/** Station 1 and data server 1 come with the tenant; this adds number 1 of everything else. */
async function furnish(client: Client): Promise<void> {
  await client.post('/users', { username: 'anna' });
  await client.post('/callgroups', { name: 'Mechanics' });
  await client.post('/callgroupgroupings', { name: 'Workshop' });
  await client.post('/scenarios', { name: 'Flood' });
  await client.post('/taggroups', { name: 'Pumps' });
}

const name = 'New';
const team = (id: number, ...userIds: number[]) => ({ id, name: `Team ${id}`, userIds });
const call = (type: string, id: number) => ({ type, id });

describe('a thing that names another which does not exist is refused, and told which member it is', () => {
  const cases = [
    { path: 'dataservers', body: { stationId: 9 }, pointer: '/stationId' },
    { path: 'taggroups', body: { stationId: 9 }, pointer: '/stationId' },
    { path: 'taggroups', body: { parentId: 9 }, pointer: '/parentId' },
    { path: 'taggroups', body: { parentId: 1, scenarioId: 9 }, pointer: '/scenarioId' },
    { path: 'scenarios', body: { stationId: 9 }, pointer: '/stationId' },
    { path: 'scenarios', body: { alarmActions: [call('CallGroup', 9)] }, pointer: '/alarmActions/0/id' },
    { path: 'scenarios', body: { alarmActions: [{ type: 'CallGroup' }] }, pointer: '/alarmActions/0/id' },
    {
      path: 'scenarios',
      body: {
        alarmActions: [call('CallGroup', 1)],
        resetActions: [call('CallUser', 1), call('CallUser', 9)],
      },
      pointer: '/resetActions/1/id',
    },
    { path: 'scenarios', body: { ackActions: [call('CallUser', 0)] }, pointer: '/ackActions/0/id' },
    { path: 'users', body: { username: 'x', stationIds: [1, 9] }, pointer: '/stationIds/1' },
    { path: 'callgroups', body: { stationId: 9 }, pointer: '/stationId' },
    { path: 'callgroups', body: { userIds: [1, 9] }, pointer: '/userIds/1' },
    { path: 'callgroups', body: { teams: [team(1), team(2, 1, 9)] }, pointer: '/teams/1/userIds/1' },
    { path: 'callgroups', body: { reliefGroupId: 9 }, pointer: '/reliefGroupId' },
    { path: 'callgroups', body: { groupingId: 9 }, pointer: '/groupingId' },
    {
      path: 'callgroups',
      body: {
        teams: [team(1)],
        roster: { slotMinutes: 60, slots: [{ teamId: 2, day: 1, start: '08:00', end: '12:00' }] },
      },
      pointer: '/roster/slots/0/teamId',
    },
    {
      path: 'callgroups',
      body: {
        teams: [team(1)],
        roster: {
          slotMinutes: 60,
          slots: [],
          overrides: [{ teamId: 2, from: '2026-01-01T00:00:00', to: '2026-01-02T00:00:00' }],
        },
      },
      pointer: '/roster/overrides/0/teamId',
    },
    { path: 'callgroupgroupings', body: { parentId: 9 }, pointer: '/parentId' },
    { path: 'callgroupgroupings', body: { callGroupIds: [1, 9] }, pointer: '/callGroupIds/1' },
  ];

  test('in any member of any kind of object, new or replaced', async ({ client }) => {
    const admin = client('admin');
    await furnish(admin);
    for (const { path, body, pointer } of cases) {
      const refusal = { status: 400, code: 'unknown-reference', errors: [{ pointer }] };
      const created = await admin.post(`/${path}`, { name, ...body });
      expect({ path, ...created.json() }).toMatchObject({ path, ...refusal });
      const replaced = await admin.put(`/${path}/1`, { name, username: 'anna', ...body });
      expect({ path, ...replaced.json() }).toMatchObject({ path, ...refusal });
    }
  });

  test("another tenant's user is as unknown as a user who does not exist", async ({ client, runtime }) => {
    const tenantId = await createTenant(runtime, { name: 'Other plant' });
    await furnish(client('admin', { tenantId }));
    const answer = await client('admin').post('/callgroups', { name, userIds: [1] });
    expect(answer.json()).toMatchObject({ code: 'unknown-reference', errors: [{ pointer: '/userIds/0' }] });
  });
});

describe('what belongs to another station is as unknown as what does not exist', () => {
  const cases = [
    { path: 'taggroups', body: { parentId: 1 }, pointer: '/parentId' },
    { path: 'taggroups', body: { scenarioId: 1 }, pointer: '/scenarioId' },
    { path: 'scenarios', body: { alarmActions: [call('CallGroup', 1)] }, pointer: '/alarmActions/0/id' },
    { path: 'scenarios', body: { ackActions: [call('CallUser', 1)] }, pointer: '/ackActions/0/id' },
    { path: 'callgroups', body: { userIds: [1] }, pointer: '/userIds/0' },
    { path: 'callgroups', body: { teams: [team(1, 1)] }, pointer: '/teams/0/userIds/0' },
    { path: 'callgroups', body: { reliefGroupId: 1 }, pointer: '/reliefGroupId' },
  ];

  async function furnishNorth(client: Client): Promise<void> {
    const stationId = 1;
    await client.post('/users', { username: 'anna', stationIds: [stationId] });
    await client.post('/callgroups', { name: 'Mechanics', stationId });
    await client.post('/scenarios', { name: 'Flood', stationId });
    await client.post('/taggroups', { name: 'Pumps', stationId });
    await client.post('/stations', { name: 'South' });
  }

  test('in any member, and the answers do not tell which of both it is', async ({ client }) => {
    await furnishNorth(client('admin'));
    const bound = client('engineer', { stationIds: [2] });
    for (const { path, body, pointer } of cases) {
      const answer = await bound.post(`/${path}`, { name, stationId: 2, ...body });
      const unknown = JSON.parse(JSON.stringify({ ...body }).replace(/1(?=[\]}])/, '99'));
      const missing = await bound.post(`/${path}`, { name, stationId: 2, ...unknown });
      expect({ path, ...answer.json() }).toMatchObject({ path, status: 400, code: 'unknown-reference' });
      expect(answer.json().errors[0].pointer).toBe(pointer);
      expect(answer.body.replace(/\b1\b/g, '99')).toBe(missing.body.replace(/\b1\b/g, '99'));
    }
  });

  test('but an object may be sent back with the references that it has', async ({ client }) => {
    const admin = client('admin');
    await furnishNorth(admin);
    const bound = client('engineer', { stationIds: [2] });
    for (const { path, body } of cases) {
      const { body: id } = await admin.post(`/${path}`, { name, stationId: 2, ...body });
      const read = (await bound.get(`/${path}/${id}`)).json<object>();
      const renamed = await bound.put(`/${path}/${id}`, { ...read, name: 'Renamed' });
      expect({ path, status: renamed.statusCode }).toEqual({ path, status: 200 });
      expect(renamed.json()).toMatchObject({ ...body, name: 'Renamed' });
    }
  });
});

describe('a chain that leads back to its own beginning is refused', () => {
  test.for([
    { path: 'taggroups', member: 'parentId' },
    { path: 'callgroupgroupings', member: 'parentId' },
    { path: 'callgroups', member: 'reliefGroupId' },
  ])('$member of $path', async ({ path, member }, { client }) => {
    const engineer = client('engineer');
    await engineer.post(`/${path}`, { name: 'One' });
    await engineer.post(`/${path}`, { name: 'Two', [member]: 1 });
    await engineer.post(`/${path}`, { name: 'Three', [member]: 2 });

    for (const next of [1, 2, 3]) {
      const answer = await engineer.put(`/${path}/1`, { name: 'One', [member]: next });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ code: 'invalid-request', errors: [{ pointer: `/${member}` }] });
    }
    expect((await engineer.put(`/${path}/3`, { name: 'Three', [member]: 1 })).statusCode).toBe(200);
    expect((await engineer.put(`/${path}/2`, { name: 'Two', [member]: 3 })).statusCode).toBe(200);
  });

  test.for([
    { path: 'taggroups', member: 'parentId' },
    { path: 'callgroupgroupings', member: 'parentId' },
    { path: 'callgroups', member: 'reliefGroupId' },
  ])(
    'when two engineers each close half of a ring in $path, one of them is refused',
    async ({ path, member }, { client }) => {
      const engineer = client('engineer');
      await engineer.post(`/${path}`, { name: 'One' });
      await engineer.post(`/${path}`, { name: 'Two', [member]: 1 });
      await engineer.post(`/${path}`, { name: 'Three' });
      await engineer.post(`/${path}`, { name: 'Four', [member]: 3 });
      const answers = await Promise.all([
        engineer.put(`/${path}/1`, { name: 'One', [member]: 4 }),
        engineer.put(`/${path}/3`, { name: 'Three', [member]: 2 }),
      ]);
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(expect.arrayContaining([200, 400]));
    },
  );
});

describe('what something else still needs is not deleted', () => {
  test.for([
    { what: 'stations/2', by: 'dataservers', body: { name, stationId: 2 } },
    { what: 'stations/2', by: 'users', body: { username: 'bound', stationIds: [2] } },
    { what: 'scenarios/1', by: 'taggroups', body: { name, scenarioId: 1 } },
    { what: 'scenarios/1', by: 'alarms', body: { path: 'P', alarmActions: [call('Scenario', 1)] } },
    { what: 'taggroups/1', by: 'taggroups', body: { name, parentId: 1 } },
    { what: 'taggroups/1', by: 'alarms', body: { path: 'P', tagGroupId: 1 } },
    { what: 'dataservers/2', by: 'alarms', body: { path: 'P', dataServerId: 2 } },
    { what: 'users/1', by: 'callgroups', body: { name, userIds: [1] } },
    { what: 'users/1', by: 'callgroups', body: { name, teams: [team(1, 1)] } },
    { what: 'users/1', by: 'scenarios', body: { name, ackActions: [call('CallUser', 1)] } },
    { what: 'users/1', by: 'alarms', body: { path: 'P', resetActions: [call('CallUser', 1)] } },
    { what: 'callgroups/1', by: 'callgroups', body: { name, reliefGroupId: 1 } },
    { what: 'callgroups/1', by: 'scenarios', body: { name, resetActions: [call('CallGroup', 1)] } },
    { what: 'callgroups/1', by: 'alarms', body: { path: 'P', ackActions: [call('CallGroup', 1)] } },
    { what: 'callgroupgroupings/1', by: 'callgroups', body: { name, groupingId: 1 } },
    { what: 'callgroupgroupings/1', by: 'callgroupgroupings', body: { name, parentId: 1 } },
  ])('$what, while $by name it', async ({ what, by, body }, { client }) => {
    const admin = client('admin');
    await furnish(admin);
    await admin.post('/stations', { name: 'South' });
    await admin.post('/dataservers', { name: 'PLC 2' });
    expect((await admin.post(`/${by}`, body)).statusCode).toBe(200);

    const refused = await admin.delete(`/${what}`);
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ code: 'conflict' });
    expect((await admin.get(`/${what}`)).statusCode).toBe(200);
  });

  test('a user without an open escalation can be deleted', async ({ client }) => {
    const admin = client('admin');
    await furnish(admin);
    await admin.put('/callgroups/1', { name: 'Mechanics', userIds: [1], teams: [team(1, 1)] });
    expect((await admin.delete('/users/1')).statusCode).toBe(409);
    await admin.put('/callgroups/1', { name: 'Mechanics' });
    expect((await admin.delete('/users/1')).statusCode).toBe(204);
  });

  test('a user cannot be deleted while they are put on a team', async ({ client }) => {
    const admin = client('admin');
    await furnish(admin);
    const [deleted, named] = await Promise.all([
      admin.delete('/users/1'),
      admin.put('/callgroups/1', { name: 'Mechanics', teams: [team(1, 1)] }),
    ]);
    expect([
      [204, 400],
      [409, 200],
    ]).toContainEqual([deleted.statusCode, named.statusCode]);
  });
});
