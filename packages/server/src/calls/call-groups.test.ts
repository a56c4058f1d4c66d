import { expect } from 'vitest';
import { test } from '../testing/app.fixture.ts';
import { addGroup, addPerson, addPhones, countCalls } from './testing/people.fixture.ts';

test('everybody in the groups is called once, on duty or not, through the first of their groups', async ({
  client,
}) => {
  const admin = client('admin');
  await addPhones(admin);
  const [ada, grace, kay, lin] = [
    await addPerson(admin, 'Ada'),
    await addPerson(admin, 'Grace'),
    await addPerson(admin, 'Kay'),
    await addPerson(admin, 'Lin'),
  ];
  const mechanics = await addGroup(admin, 'Mechanics', { userIds: [grace, ada] });
  const shifts = await addGroup(admin, 'Shifts', {
    userIds: [ada],
    teams: [
      { id: 1, name: 'Early', userIds: [lin] },
      { id: 2, name: 'Late', userIds: [kay, lin] },
    ],
    roster: { slotMinutes: 60, slots: [{ teamId: 1, day: 1, start: '06:00', end: '14:00' }] },
  });
  const answer = await client('operator').post('/call/groups', {
    callGroupIds: [shifts, mechanics, shifts],
    msgText: 'Flood',
    msgNum: 3,
    msgAudio: 'siren.wav',
  });
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toBe('true');
  expect(answer.headers['call-id']).toBe('1');
  const { items } = (await admin.get('/call/histories?sort=id')).json();
  expect(items).toMatchObject([
    { userId: ada, callGroupId: shifts, reason: 'msgAudio unknown: siren.wav' },
    { userId: lin, callGroupId: shifts },
    { userId: kay, callGroupId: shifts },
    { userId: grace, callGroupId: mechanics, message: 'Flood', status: 'Queued', attempt: 1, callId: 1 },
  ]);
});

test('a call is refused when a group is missing, empty or has a user who cannot be called', async ({
  runtime,
  client,
}) => {
  const admin = client('admin');
  await addPhones(admin);
  const ada = await addPerson(admin, 'Ada');
  const away = await addPerson(admin, 'Away', { enabled: false });
  const good = await addGroup(admin, 'Good', { userIds: [ada] });
  const empty = await addGroup(admin, 'Empty');
  const broken = await addGroup(admin, 'Broken', {
    userIds: [ada],
    teams: [{ id: 1, name: 'T', userIds: [away] }],
  });
  const operator = client('operator');
  for (const callGroupIds of [[], [0], [99], [good, 99], [empty], [good, empty], [broken]]) {
    const answer = await operator.post('/call/groups', { callGroupIds });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe('false');
    expect(answer.headers).not.toHaveProperty('call-id');
  }
  expect(await countCalls(runtime)).toEqual({ calls: 0, attempts: 0 });
  expect((await operator.post('/call/groups', { callGroupIds: [good] })).body).toBe('true');
});

test('a user limited to stations calls the groups of those stations and of all stations', async ({
  client,
}) => {
  const admin = client('admin');
  await admin.post('/stations', { name: 'South', timeZone: 'Asia/Tokyo' });
  await addPhones(admin);
  const userIds = [await addPerson(admin, 'Ada')];
  const [north, south, everywhere] = [
    await addGroup(admin, 'North', { userIds, stationId: 1 }),
    await addGroup(admin, 'South', { userIds, stationId: 2 }),
    await addGroup(admin, 'Everywhere', { userIds }),
  ];
  const bound = client('operator', { stationIds: [2] });
  expect((await bound.post('/call/groups', { callGroupIds: [north] })).body).toBe('false');
  expect((await bound.post('/call/groups', { callGroupIds: [south, north] })).body).toBe('false');
  expect((await bound.post('/call/groups', { callGroupIds: [south] })).body).toBe('true');
  expect((await bound.post('/call/groups', { callGroupIds: [everywhere] })).body).toBe('true');
  expect((await bound.get('/call/histories')).json().items).toMatchObject([
    { callGroupId: everywhere },
    { callGroupId: south, startTime: '2026-03-01T15:00:00+09:00' },
  ]);
  expect((await client('viewer', { stationIds: [1] }).get('/call/histories')).json().items).toEqual([]);
});

test('a group call that is repeated with its key is made once', async ({ runtime, client }) => {
  const admin = client('admin');
  await addPhones(admin);
  const group = await addGroup(admin, 'Mechanics', { userIds: [await addPerson(admin, 'Ada')] });
  const key = { 'idempotency-key': 'g' };
  const answers = await Promise.all(
    [1, 2, 3].map(() => admin.post('/call/groups', { callGroupIds: [group] }, key)),
  );
  expect(answers.map(({ body, headers }) => [body, headers['call-id']])).toEqual([
    ['true', '1'],
    ['true', '1'],
    ['true', '1'],
  ]);
  expect(await countCalls(runtime)).toEqual({ calls: 1, attempts: 1 });
});

test('a group call without groups is refused and names the missing member', async ({ client }) => {
  const missing = await client('operator').post('/call/groups', { userIds: [1] });
  expect(missing.json().errors[0].pointer).toBe('/callGroupIds');
});
