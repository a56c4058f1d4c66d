import type { ConsoleHealth } from '@tocsin/contract';
import { expect } from 'vitest';
import { addGroup, addPerson } from '../calls/testing/people.fixture.ts';
import { checkChannels } from '../dispatch/monitoring/check-channels.ts';
import { test, voice } from '../dispatch/testing/dispatch.fixture.ts';
import type { Client } from '../testing/app.fixture.ts';

const healthOf = async (client: Client) => (await client.get('/console/health')).json<ConsoleHealth>();

test('a new plant shows its clock and its source, and that nothing has happened yet', async ({ client }) => {
  expect(await healthOf(client('viewer'))).toEqual({
    time: '2026-03-01T07:00:00+01:00',
    dataServers: [{ id: 1, name: 'PLC', stationId: 1 }],
    media: [],
    openEscalations: 0,
    overdueEscalations: 0,
    dispatchLagSeconds: 0,
    onDuty: [],
    endingMasks: [],
  });
});

test('the last alarm and the last sign of each source are shown', async ({ client, clock }) => {
  const engineer = client('engineer');
  const other = (await engineer.post('/dataservers', { name: 'Gas', stationId: 1 })).json<number>();
  const silent = (await engineer.post('/dataservers', { name: 'Silent', stationId: 1 })).json<number>();
  await engineer.post('/alarms', { path: 'pump', priority: 2, alarmMessage: 'Pump fails' });
  clock.advance(60);
  await engineer.post('/alarms', { path: 'leak', dataServerId: other, raised: false });
  const { lastAlarm, dataServers } = await healthOf(engineer);
  expect(lastAlarm).toEqual({
    id: 1,
    name: 'pump',
    message: 'Pump fails',
    priority: 2,
    time: '2026-03-01T07:00:00+01:00',
  });
  expect(dataServers.map(({ id, lastTime }) => [id, lastTime])).toEqual([
    [1, '2026-03-01T07:00:00+01:00'],
    [other, '2026-03-01T07:01:00+01:00'],
    [silent, undefined],
  ]);
});

test('a call that nobody makes is shown as lag, until a dispatcher makes it', async ({
  client,
  clock,
  technicians: { groupId },
  work,
}) => {
  const admin = client('admin');
  await admin.post('/alarms', { path: 'boiler', alarmActions: [{ type: 'CallGroup', id: groupId }] });
  clock.advance(45);
  expect(await healthOf(admin)).toMatchObject({
    openEscalations: 1,
    overdueEscalations: 1,
    dispatchLagSeconds: 45,
  });
  await work();
  expect(await healthOf(admin)).toMatchObject({
    openEscalations: 1,
    overdueEscalations: 0,
    dispatchLagSeconds: 0,
  });
});

test('the people on duty are shown with the end of their duty, and a gap as nobody', async ({ client }) => {
  const admin = client('admin');
  const ada = await addPerson(admin, 'Ada', voice('+331'));
  const ben = await addPerson(admin, 'Ben', { media: [] });
  const day = (teamId: number, start: string, end: string) => ({ teamId, day: 7, start, end });
  const teams = [{ id: 1, name: 'Early', userIds: [ada, ben] }];
  const roster = { slotMinutes: 60 as const, slots: [day(1, '06:00', '14:00')] };
  await addGroup(admin, 'Shift', { teams, roster });
  await addGroup(admin, 'Always', { userIds: [ada] });
  await addGroup(admin, 'Late', { teams, roster: { slotMinutes: 60, slots: [day(1, '14:00', '22:00')] } });
  const { onDuty } = await healthOf(client('viewer'));
  expect(onDuty).toMatchObject([
    {
      callGroup: 'Shift',
      why: 'slot',
      until: '2026-03-01T14:00:00+01:00',
      people: [
        { userId: ada, user: 'Ada', canBeCalled: true },
        { userId: ben, user: 'Ben', canBeCalled: false },
      ],
    },
    { callGroup: 'Always', why: 'always', people: [{ user: 'Ada' }] },
    { callGroup: 'Late', why: 'nobody', people: [], until: '2026-03-01T14:00:00+01:00' },
  ]);
  expect(onDuty?.[1]).not.toHaveProperty('until');
  expect(await healthOf(client('machine')), 'machines need no names of people').not.toHaveProperty('onDuty');
});

test('a change of the roster is shown at once', async ({ client }) => {
  const admin = client('admin');
  const ada = await addPerson(admin, 'Ada', voice('+331'));
  const groupId = await addGroup(admin, 'Night', { userIds: [ada] });
  expect((await healthOf(admin)).onDuty).toMatchObject([{ people: [{ user: 'Ada' }] }]);
  await admin.put(`/callgroups/${groupId}`, { name: 'Night', userIds: [] });
  expect((await healthOf(admin)).onDuty).toMatchObject([{ why: 'nobody', people: [] }]);
});

test('masks that end within an hour are announced, the next first', async ({ client, clock }) => {
  const operator = client('operator', { name: 'Ada' });
  for (const path of ['a', 'b', 'c']) await operator.post('/alarms', { path });
  await operator.post('/alarms/1/mask', { reason: 'later', seconds: 3_700 });
  await operator.post('/alarms/2/mask', { reason: 'works', seconds: 3_000 });
  await operator.post('/alarms/3/mask', { reason: 'test', seconds: 600 });
  const reasons = async () => (await healthOf(operator)).endingMasks.map(({ maskReason }) => maskReason);
  expect((await healthOf(operator)).endingMasks[1]).toEqual({
    id: 2,
    name: 'b',
    message: '',
    maskedUntil: '2026-03-01T07:50:00+01:00',
    maskReason: 'works',
    maskedBy: 'Ada',
  });
  expect(await reasons()).toEqual(['test', 'works']);
  clock.advance(100);
  expect(await reasons()).toEqual(['test', 'works', 'later']);
});

test('a check of a channel is shown once it has succeeded, not when it was begun', async ({
  client,
  clock,
  dispatch,
  world,
}) => {
  const admin = client('admin');
  const settings = { url: 'http://127.0.0.1:9' };
  await admin.post('/channels', { name: 'Phones', medium: 'Voice', kind: 'simulated', settings });
  const check = () => checkChannels(dispatch, dispatch.runtime, dispatch.writer);
  const media = async () => (await healthOf(admin)).media;
  expect(await media()).toEqual([{ medium: 'Voice', channels: 1, down: 0 }]);
  await check();
  const lastCheckTime = '2026-03-01T07:00:00+01:00';
  expect(await media()).toEqual([{ medium: 'Voice', channels: 1, down: 0, lastCheckTime }]);
  world.health = { works: false, reason: 'HTTP 500' };
  for (let n = 0; n < 30; n++) {
    clock.advance(10);
    await check();
  }
  expect(await media()).toEqual([{ medium: 'Voice', channels: 1, down: 1, lastCheckTime }]);
});

test('a test of a telephone counts once it was confirmed', async ({ client, clock, world, work }) => {
  world.livesHere = true;
  const admin = client('admin');
  const ada = await addPerson(admin, 'Ada', voice('+331'));
  expect((await admin.post(`/users/${ada}/reachability-test`)).statusCode).toBe(200);
  await work();
  expect(await healthOf(admin)).not.toHaveProperty('lastCallTestTime');
  const attemptId = world.sent[0]?.attemptId ?? '';
  const report = world.reports.get(attemptId);
  await report?.({ kind: 'answered', reference: '' });
  clock.advance(10);
  const proof = { kind: 'leg' } as const;
  await report?.({ kind: 'pressed', reference: '', choice: 'confirm', heard: [attemptId], proof });
  await report?.({ kind: 'ended', reference: '', reason: '', heard: [attemptId] });
  await work();
  expect(await healthOf(admin)).toMatchObject({ lastCallTestTime: '2026-03-01T07:00:10+01:00' });
});

test('a user limited to a station sees its sources, calls and masks only', async ({ client }) => {
  const admin = client('admin');
  const ardenne = (await admin.post('/stations', { name: 'Ardenne' })).json<number>();
  const dataServerId = (
    await admin.post('/dataservers', { name: 'Ardenne PLC', stationId: ardenne })
  ).json<number>();
  const ada = await addPerson(admin, 'Ada', voice('+331'));
  const groupId = await addGroup(admin, 'Ardenne guards', { stationId: ardenne, userIds: [ada] });
  const alarmActions = [{ type: 'CallGroup', id: groupId }];
  const alarm = { path: 'Ardenne pump', stationId: ardenne, dataServerId, alarmActions };
  await admin.post('/alarms', alarm);
  await admin.post('/alarms', { ...alarm, path: 'Ardenne valve' });
  await admin.post('/alarms/2/mask', { reason: 'Ardenne works', seconds: 600 });
  const bound = await healthOf(client('operator', { stationIds: [1] }));
  expect(JSON.stringify(bound)).not.toContain('Ardenne');
  expect(bound).toMatchObject({ openEscalations: 0, onDuty: [], endingMasks: [] });
  expect(await healthOf(admin)).toMatchObject({ openEscalations: 2, endingMasks: [{ id: 2 }] });
});
