import type { Alarm, AlarmDetail, Location } from '@tocsin/contract';
import { expect } from 'vitest';
import { type Client, test } from '../testing/app.fixture.ts';

const listed = async (client: Client, query = '') => {
  const answer = await client.get(`/alarms${query}`);
  expect(answer.statusCode).toBe(200);
  return answer.json<{ items: Alarm[]; paging: { total: number } }>().items;
};
const detail = async (client: Client, id: number) => (await client.get(`/alarms/${id}`)).json<AlarmDetail>();
const histories = async (client: Client) =>
  (await client.get('/alarms/histories?sort=%2Bid')).json<{ items: Record<string, unknown>[] }>().items;

test('a message alone is enough to raise an alarm', async ({ client }) => {
  const machine = client('machine');
  const answer = await machine.post('/alarms', { alarmMessage: 'help' });
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toBe('1');
  expect(await listed(machine)).toEqual([
    {
      id: 1,
      dataServerId: 1,
      path: 'api/1',
      fullPath: 'PLC\\api/1',
      name: 'api/1',
      localizedName: 'api/1',
      value: '',
      message: 'help',
      resetMessage: '',
      ackMessage: '',
      priority: 1,
      state: 3,
      masked: false,
      alarmTime: '2026-03-01T07:00:00+01:00',
      lastChange: '2026-03-01T06:00:00',
      ackUser: '',
      attachedFile: '',
      resetAttachedFile: '',
      ackAttachedFile: '',
      comment: '',
    },
  ]);
});

test('an existing tag keeps its id, and members that a later post leaves out stay unchanged', async ({
  client,
}) => {
  const operator = client('operator');
  expect(
    (await operator.post('/alarms', { path: 'Pump.P101', priority: 2, alarmMessage: 'trip' })).body,
  ).toBe('1');
  expect((await operator.post('/alarms', { path: 'Pump.P102' })).body).toBe('2');
  expect((await operator.post('/alarms', { path: 'Pump.P101', raised: false })).body).toBe('1');
  expect(await detail(operator, 1)).toMatchObject({ priority: 2, message: 'trip', state: 2 });
});

test('a path as long as the interface allows, in any script, names one tag', async ({ client }) => {
  const operator = client('operator');
  // Different characters: PostgreSQL would compress equal ones into a few bytes.
  const characters = Array.from({ length: 1_023 }, (_, n) => 0x4e00 + ((n * 7_919) % 20_000));
  const path = (last: string) => String.fromCodePoint(...characters) + last;
  const ids = [];
  for (const last of ['a', 'b', 'a']) ids.push((await operator.post('/alarms', { path: path(last) })).body);
  expect(ids).toEqual(['1', '2', '1']);
  expect((await detail(operator, 1)).repeats).toBe(1);
});

test('an alarm belongs to the station of its data server, unless it names one', async ({ client }) => {
  const admin = client('admin');
  expect((await admin.post('/stations', { name: 'Kobe', timeZone: 'Asia/Tokyo' })).body).toBe('2');
  expect((await admin.post('/dataservers', { name: 'Crane', stationId: 2 })).body).toBe('2');
  expect((await admin.post('/dataservers', { name: 'Loose' })).body).toBe('3');
  const machine = client('machine', { stationIds: [2] });
  expect((await machine.post('/alarms', { dataServerId: 2, path: 'Hook' })).statusCode).toBe(200);
  expect(await detail(admin, 1)).toMatchObject({ stationId: 2, alarmTime: '2026-03-01T15:00:00+09:00' });
  expect((await machine.post('/alarms', { dataServerId: 3, path: 'Hook' })).statusCode).toBe(403);
  await admin.post('/alarms', { dataServerId: 3, path: 'Hook' });
  await admin.post('/alarms', { dataServerId: 2, path: 'Cab', stationId: 1 });
  expect([(await detail(admin, 2)).stationId, (await detail(admin, 3)).stationId]).toEqual([1, 1]);
});

test.for(['', 'yesterday', '2026-04-29T09:07:42Z', 1_777_446_462, '2'.repeat(60)])(
  'a location with the date %j is stored as it was sent',
  async (date, { client }) => {
    const operator = client('operator');
    const location = { zone: 'Hall 1', date, beaconList: [{ id: 'b', type: 'Nfc', date }] };
    expect((await operator.post('/alarms', { path: 'Worker', location })).statusCode).toBe(200);
    expect((await detail(operator, 1)).location).toEqual(location);
  },
);

test('the life of an alarm, state by state, and its history', async ({ client, clock }) => {
  const operator = client('operator', { name: 'Ada' });
  const post = (body: object) => operator.post('/alarms', { path: 'Tank', alarmMessage: 'level', ...body });
  const state = async () => (await detail(operator, 1)).state;

  await post({});
  expect(await state()).toBe(3);
  clock.advance(60);
  await operator.post('/alarms/1/acknowledge');
  expect(await state()).toBe(1);
  expect((await detail(operator, 1)).ackUser).toBe('Ada');
  clock.advance(30 * 3_600);
  await post({ raised: false });
  expect(await state()).toBe(0);
  expect(await listed(operator)).toEqual([]);
  await post({});
  expect(await detail(operator, 1)).toMatchObject({ state: 3, ackUser: '' });
  await post({ raised: false });
  expect(await state()).toBe(2);
  await operator.post('/alarms/1/acknowledge');
  expect(await state()).toBe(0);

  const [first, second] = await histories(operator);
  expect(first).toEqual({
    id: 1,
    tagId: 1,
    tagName: 'Tank',
    message: 'level',
    priority: 1,
    alarmTime: '2026-03-01T07:00:00+01:00',
    ackTime: '2026-03-01T07:01:00+01:00',
    resetTime: '2026-03-02T13:01:00+01:00',
    alarmDuration: '30:01:00',
    reactionDuration: '00:01:00',
    interventionDuration: '30:00:00',
    comment: '',
  });
  expect(second).toMatchObject({ id: 2, tagId: 1 });
});

test('raising what is already raised is a repeat: counted, and no new occurrence', async ({ client }) => {
  const operator = client('operator');
  for (let post = 0; post < 3; post++) await operator.post('/alarms', { path: 'Door' });
  expect(await detail(operator, 1)).toMatchObject({ state: 3, repeats: 2, occurrenceId: 1 });
  expect(await histories(operator)).toHaveLength(1);
});

test('a reactivatable alarm that is raised after its acknowledgment starts a new occurrence and ends the former', async ({
  client,
  clock,
}) => {
  const operator = client('operator');
  const body = { path: 'Gas', eventCondition: { reactivatable: true } };
  await operator.post('/alarms', body);
  await operator.post('/alarms/1/acknowledge');
  clock.advance(10);
  await operator.post('/alarms', body);
  expect(await detail(operator, 1)).toMatchObject({ state: 3, occurrenceId: 2, repeats: 0 });
  expect(await histories(operator)).toMatchObject([{ id: 1, alarmDuration: '00:00:10' }, { id: 2 }]);
  expect((await histories(operator))[1]).not.toHaveProperty('resetTime');
});

test('a transitory alarm is raised and reset at once, and still needs an acknowledgment', async ({
  client,
}) => {
  const operator = client('operator');
  await operator.post('/alarms', { path: 'Visit', eventCondition: { transitory: true } });
  expect((await detail(operator, 1)).state).toBe(2);
  expect(await histories(operator)).toMatchObject([{ alarmDuration: '00:00:00' }]);
});

test('an alarm that only an operator may reset is not reset by its source', async ({ client }) => {
  const operator = client('operator');
  await operator.post('/alarms', { path: 'Fire', eventCondition: { resettable: false } });
  await operator.post('/alarms', { path: 'Fire', raised: false });
  expect((await detail(operator, 1)).state).toBe(3);
  expect((await operator.post('/alarms/1/reset')).json()).toMatchObject({ state: 2 });
});

test('a value that meets the condition raises, and another one resets', async ({ client }) => {
  const machine = client('machine');
  const send = (value: string) =>
    machine.post('/alarms', { path: 'Valve', value, eventCondition: { value: 'OPEN' } });
  await send('SHUT');
  expect(await listed(machine)).toEqual([]);
  await send('OPEN');
  expect(await listed(machine)).toMatchObject([{ state: 3, value: 'OPEN' }]);
  await send('SHUT');
  expect(await listed(machine)).toMatchObject([{ state: 2, value: 'SHUT' }]);
});

test('a temporary tag is gone once it is reset and acknowledged, and its history stays', async ({
  client,
}) => {
  const operator = client('operator');
  await operator.post('/alarms', { alarmMessage: 'SOS' });
  await operator.post('/alarms/1/acknowledge');
  expect((await operator.get('/alarms/1')).statusCode).toBe(200);
  await operator.post('/alarms/1/reset');
  expect((await operator.get('/alarms/1')).statusCode).toBe(404);
  expect(await histories(operator)).toHaveLength(1);
});

test('a tag group with automatic acknowledgment acknowledges its alarms when they reset', async ({
  client,
}) => {
  const engineer = client('engineer');
  await engineer.post('/taggroups', { name: 'Minor', autoAcknowledge: true });
  await engineer.post('/alarms', { path: 'Lamp', tagGroupId: 1 });
  await engineer.post('/alarms', { path: 'Lamp', raised: false });
  expect(await detail(engineer, 1)).toMatchObject({ state: 0, ackUser: 'System' });
});

test('the location of a lone worker is stored with all members and with beacons of unknown types', async ({
  client,
}) => {
  const machine = client('machine');
  const location = {
    latitude: 48.85,
    longitude: 2.35,
    horizontalAccuracy: 12.5,
    altitude: 35,
    verticalAccuracy: 3,
    date: '2026-03-01T07:00:00+01:00',
    beaconList: [
      { id: 'b1', name: 'Hall', type: 'Nfc', accuracy: 0.5, date: '2026-03-01T07:00:00' },
      { id: 'b2', type: 'Ultrasound' },
    ],
    zone: 'Hall 3',
  } satisfies Required<Location>;
  await machine.post('/alarms', { path: 'Worker 7', location });
  const kept = await detail(machine, 1);
  expect(kept.location).toEqual({
    ...location,
    beaconList: [location.beaconList[0], { id: 'b2', type: 'Undefined' }],
  });
});

test.for([
  [{ stationId: 9 }, '/stationId'],
  [{ dataServerId: 9 }, '/dataServerId'],
  [{ tagGroupId: 9 }, '/tagGroupId'],
] as const)('a post that names a missing row is refused: %j', async ([body, pointer], { client }) => {
  const answer = await client('machine').post('/alarms', { path: 'X', ...body });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().errors[0].pointer).toBe(pointer);
  expect(await listed(client('viewer'))).toEqual([]);
});

test('a sound file that is not in the library does not refuse the alarm; the timeline shows it', async ({
  client,
}) => {
  const operator = client('operator');
  expect((await operator.post('/alarms', { path: 'X', alarmVocalMessageFile: 'siren.wav' })).statusCode).toBe(
    200,
  );
  const timeline = (await operator.get('/alarms/1/timeline')).json();
  expect(timeline.items).toMatchObject([
    { seq: 1, kind: 'raised', detail: 'not in the media library: siren.wav' },
  ]);
});

test('the timeline lists all changes in order', async ({ client }) => {
  const operator = client('operator', { name: 'Ada' });
  await operator.post('/alarms', { path: 'X', raised: false });
  await operator.post('/alarms', { path: 'X' });
  await operator.post('/alarms', { path: 'X' });
  await operator.post('/alarms/1/acknowledge', { comment: 'on my way' });
  await operator.post('/alarms/1/comment', { comment: 'fuse blown' });
  await operator.post('/alarms/1/mask', { reason: 'repair' });
  await operator.post('/alarms/1/unmask');
  await operator.post('/alarms/1/reset');
  await operator.post('/alarms/1/reset');
  const { items, paging } = (await operator.get('/alarms/1/timeline')).json();
  expect(items.map(({ kind }: { kind: string }) => kind)).toEqual([
    'defined',
    'raised',
    'repeated',
    'acknowledged',
    'commented',
    'masked',
    'unmasked',
    'reset',
  ]);
  expect(items.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(items[3]).toMatchObject({ actor: 'Ada', detail: 'on my way', state: 1, occurrenceId: 1 });
  expect(paging).toEqual({ offset: 0, limit: 10, total: 8 });
  expect(await histories(operator)).toMatchObject([{ comment: 'fuse blown' }]);
});

test('a comment on an alarm that was acknowledged or reset already is in the timeline', async ({
  client,
}) => {
  const operator = client('operator', { name: 'Ada' });
  await operator.post('/alarms', { path: 'Tank' });
  await operator.post('/alarms/1/acknowledge', { comment: 'on my way' });
  expect((await operator.post('/alarms/1/acknowledge', { comment: 'still on it' })).statusCode).toBe(200);
  await operator.post('/alarms/1/reset', { comment: 'mended' });
  expect((await operator.post('/alarms/1/reset', { comment: 'was the fuse' })).statusCode).toBe(200);
  const { items } = (await operator.get('/alarms/1/timeline?sort=%2Bid')).json();
  expect(items.map(({ kind, actor, detail }: Record<string, string>) => [kind, actor, detail])).toEqual([
    ['raised', 'Ada', ''],
    ['acknowledged', 'Ada', 'on my way'],
    ['commented', 'Ada', 'still on it'],
    ['reset', 'Ada', 'mended'],
    ['commented', 'Ada', 'was the fuse'],
  ]);
});

test('removing a comment keeps the message of the raise in the history', async ({ client }) => {
  const operator = client('operator');
  await operator.post('/alarms', { path: 'X', alarmMessage: 'Fuse blown' });
  await operator.post('/alarms/1/comment', { comment: 'Coming' });
  await operator.post('/alarms', { path: 'X', alarmMessage: 'Pump hot' });
  await operator.post('/alarms/1/comment', { comment: '' });
  expect(await histories(operator)).toMatchObject([{ message: 'Fuse blown', comment: '' }]);
});

test('members that are null are treated as absent', async ({ client }) => {
  const answer = await client('machine').post('/alarms', {
    path: 'X',
    alarmMessage: null,
    location: { zone: null },
  });
  expect(answer.statusCode).toBe(200);
});

test('control characters and incomplete emoji in a message do not lose the alarm', async ({ client }) => {
  const machine = client('machine');
  const answer = await machine.post('/alarms', '{"alarmMessage":"a\\u0000b\\ud83d!"}', {
    'content-type': 'application/json',
  });
  expect(answer.statusCode).toBe(200);
  expect((await listed(machine))[0]?.message).toBe('a\uFFFDb\uFFFD!');
});
