import { type ConsoleSounds, defaultConsoleSounds } from '@tocsin/contract';
import { expect } from 'vitest';
import { createTenant } from '../people/create-tenant.ts';
import { test } from '../testing/app.fixture.ts';

const path = '/console/sounds';
const content = Buffer.from('RIFF\0\0\0\0WAVEfmt ').toString('base64');
const withFile = (mediaFileId: number): ConsoleSounds => ({
  resoundSeconds: 60,
  sounds: defaultConsoleSounds.sounds.map((one) =>
    one.priority === 1 ? { priority: 1, sound: 'file', mediaFileId, repeatSeconds: 3 } : one,
  ),
});

test('the plant has a rhythm for each priority, the less urgent the calmer, until an engineer changes them', async ({
  client,
}) => {
  const engineer = client('engineer');
  const first = await client('viewer').get(path);
  expect([first.json(), first.headers.etag]).toEqual([defaultConsoleSounds, '"0"']);
  const id = (
    await engineer.post('/mediafiles', { name: 'horn.wav', contentType: 'audio/wav', content })
  ).json<number>();
  const changed = await engineer.put(path, withFile(id), { 'if-match': '"0"' });
  expect([changed.json(), changed.headers.etag]).toEqual([withFile(id), '"1"']);
  expect((await client('viewer').get(path)).json()).toEqual(withFile(id));
  expect((await engineer.put(path, withFile(id), { 'if-match': '"0"' })).statusCode).toBe(412);
  expect((await engineer.delete(`/mediafiles/${id}`)).statusCode, 'it is in use').toBe(409);
  await engineer.put(path, defaultConsoleSounds);
  expect((await engineer.get(path)).json()).toEqual(defaultConsoleSounds);
  expect((await engineer.delete(`/mediafiles/${id}`)).statusCode).toBe(204);
});

test('a sound must be a recording of this plant, and each priority needs one', async ({
  client,
  runtime,
}) => {
  await createTenant(runtime, { name: 'Brenner Gas', station: 'Brenner', dataServer: 'PLC' });
  const stranger = client('engineer', { tenantId: 2 });
  for (const name of ['a.wav', 'b.wav']) {
    const created = await stranger.post('/mediafiles', { name, contentType: 'audio/wav', content });
    expect(created.statusCode, created.body).toBe(200);
  }
  const engineer = client('engineer');
  await engineer.post('/mediafiles', { name: 'plan.txt', contentType: 'text/plain', content: 'cGxhbg==' });
  const faultOf = async (body: object) => (await engineer.put(path, body)).json().errors[0];
  const pointer = '/sounds/0/mediaFileId';
  expect(await faultOf(withFile(2)), 'of the other tenant').toMatchObject({ pointer });
  expect(await faultOf(withFile(0))).toMatchObject({ pointer });
  expect(await faultOf(withFile(1))).toEqual({
    pointer,
    message: 'must be a recording, and this file is text/plain',
  });
  const [first, ...others] = defaultConsoleSounds.sounds;
  const twice = { ...defaultConsoleSounds, sounds: [first, first, ...others.slice(1)] };
  expect(await faultOf(twice)).toEqual({ pointer: '/sounds', message: 'must have a sound for priority 2' });
  expect((await engineer.put(path, { resoundSeconds: 30, sounds: others })).statusCode).toBe(400);
  expect((await engineer.get(path)).json()).toEqual(defaultConsoleSounds);
});

test('silencing a horn leaves a record and nothing else: the alarm stays unacknowledged', async ({
  client,
}) => {
  const operator = client('operator', { name: 'Ada', userId: 1 });
  await operator.post('/alarms', { path: 'pump' });
  const before = (await operator.get('/alarms/1/timeline')).json<object>();
  const answer = await operator.post('/console/silences', { alarmIds: [1, 77], desk: 'desk 1' });
  expect(answer.json()).toEqual({ alarmIds: [1] });
  expect((await operator.get('/alarms/1')).json()).toMatchObject({ state: 3, ackUser: '' });
  expect((await operator.get('/alarms/1/timeline')).json()).toEqual(before);
  const { items } = (await client('admin').get('/audit?limit=1')).json<{ items: object[] }>();
  expect(items).toMatchObject([
    {
      action: 'desk.silence',
      object: { kind: 'desk', id: 'desk 1' },
      actor: { name: 'Ada' },
      after: { alarmIds: [1] },
    },
  ]);
});

test('a horn is silenced for alarms that the desk may see', async ({ client }) => {
  const engineer = client('engineer');
  const stationId = (await engineer.post('/stations', { name: 'Ardenne' })).json<number>();
  await engineer.post('/alarms', { path: 'pump', stationId });
  const bound = client('operator', { stationIds: [1] });
  expect((await bound.post('/console/silences', { alarmIds: [1], desk: 'd' })).statusCode).toBe(404);
  expect((await client('viewer').post('/console/silences', { alarmIds: [1], desk: 'd' })).statusCode).toBe(
    403,
  );
  expect((await engineer.post('/console/silences', { alarmIds: [], desk: 'd' })).statusCode).toBe(400);
});
