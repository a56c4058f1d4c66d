import { expect } from 'vitest';
import type { Client } from '../testing/app.fixture.ts';
import { test } from '../testing/app.fixture.ts';

const closeValve = { steps: ['Close valve V240', 'Call the laboratory'], respondSeconds: 300 };

/** A tag in a group of pumps, which is in the group of the high lift, at station 1. */
async function plant(engineer: Client) {
  const create = async (path: string, body: object) => {
    const answer = await engineer.post(path, body);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<number>();
  };
  const highLift = await create('/taggroups', { name: 'High lift', stationId: 1 });
  const pumps = await create('/taggroups', { name: 'Pumps', stationId: 1, parentId: highLift });
  const alarm = await create('/alarms', { path: 'P302', tagGroupId: pumps, value: '17' });
  return { highLift, pumps, alarm };
}

test('an alarm has the guidance of its tag, else of the nearest group, else of its station', async ({
  client,
}) => {
  const engineer = client('engineer', { name: 'Hugo', userId: 4 });
  const { highLift, pumps, alarm } = await plant(engineer);
  const read = async () => (await client('viewer').get(`/alarms/${alarm}/guidance`)).json();
  expect(await read()).toEqual({});

  const write = async (path: string, cause: string) => {
    const answer = await engineer.put(`${path}/guidance`, { cause, respondSeconds: 60 });
    expect(answer.statusCode, answer.body).toBe(200);
  };
  await write('/stations/1', 'of the station');
  expect(await read()).toEqual({
    guidance: {
      steps: [],
      cause: 'of the station',
      consequence: '',
      contacts: [],
      files: [],
      respondSeconds: 60,
    },
    from: { object: 'station', id: 1, name: 'Valmont' },
    version: 1,
    author: 'Hugo',
    authorId: 'user:4',
    time: '2026-03-01T07:00:00+01:00',
  });
  await write(`/taggroups/${highLift}`, 'of the high lift');
  expect(await read()).toMatchObject({ from: { object: 'tagGroup', id: highLift, name: 'High lift' } });
  await write(`/taggroups/${pumps}`, 'of the pumps');
  expect(await read()).toMatchObject({ guidance: { cause: 'of the pumps' }, from: { name: 'Pumps' } });
  await write(`/tags/${alarm}`, 'of the tag');
  expect(await read()).toMatchObject({ guidance: { cause: 'of the tag' }, from: { object: 'tag' } });

  await engineer.delete(`/tags/${alarm}/guidance`);
  await engineer.delete(`/taggroups/${pumps}/guidance`);
  expect(await read()).toMatchObject({ guidance: { cause: 'of the high lift' } });
});

test('the nearest guidance counts as a whole, also without a time to respond', async ({ client }) => {
  const engineer = client('engineer');
  const { alarm } = await plant(engineer);
  await engineer.put('/stations/1/guidance', closeValve);
  await engineer.put(`/tags/${alarm}/guidance`, { cause: 'worn seal' });
  expect((await engineer.get(`/alarms/${alarm}/guidance`)).json().guidance).toMatchObject({
    steps: [],
    cause: 'worn seal',
    respondSeconds: 0,
  });
});

test('every version stays readable with its author and time, also after a deletion', async ({
  client,
  clock,
}) => {
  const anna = client('engineer', { name: 'Anna', userId: 2 });
  const ben = client('engineer', { name: 'Ben', userId: 3 });
  await anna.put('/stations/1/guidance', { steps: ['Look'] });
  clock.advance(60);
  await ben.put('/stations/1/guidance', { steps: ['Look', 'Call'] });
  clock.advance(60);
  expect((await anna.delete('/stations/1/guidance')).statusCode).toBe(204);
  expect((await anna.delete('/stations/1/guidance')).statusCode).toBe(404);
  const { items, paging } = (await anna.get('/stations/1/guidance/versions')).json();
  expect(paging).toEqual({ offset: 0, limit: 10, total: 3 });
  expect(items).toEqual([
    { version: 3, author: 'Anna', authorId: 'user:2', time: '2026-03-01T07:02:00+01:00' },
    expect.objectContaining({ version: 2, author: 'Ben', guidance: expect.anything() }),
    expect.objectContaining({ version: 1, author: 'Anna', time: '2026-03-01T07:00:00+01:00' }),
  ]);
  expect(items[2].guidance.steps).toEqual(['Look']);
  await ben.put('/stations/1/guidance', closeValve);
  expect((await ben.get('/stations/1/guidance')).json()).toMatchObject({ version: 4, guidance: closeValve });
});

test('guidance is not overwritten by somebody who saw an older version', async ({ client }) => {
  const engineer = client('engineer');
  const none = (await engineer.get('/stations/1/guidance')).headers['etag'] as string;
  const first = await engineer.put('/stations/1/guidance', closeValve, { 'if-match': none });
  expect(first.headers['etag']).toBe('"1"');
  const stale = await engineer.put('/stations/1/guidance', { steps: ['Wait'] }, { 'if-match': none });
  expect(stale.statusCode).toBe(412);
  expect((await engineer.delete('/stations/1/guidance', { 'if-match': none })).statusCode).toBe(412);
  expect((await engineer.get('/stations/1/guidance')).json().guidance).toMatchObject(closeValve);
});

test('of ten writers at once each writes a version of its own', async ({ client }) => {
  const engineer = client('engineer');
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      engineer.put('/stations/1/guidance', { steps: [`writer ${index}`] }),
    ),
  );
  const versions = answers.map((answer) => answer.json<{ version: number }>().version);
  expect(versions.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('a file that the media library does not have is refused by its place', async ({ client }) => {
  const engineer = client('engineer');
  const content = Buffer.from('plan').toString('base64');
  await engineer.post('/mediafiles', { name: 'valves.txt', contentType: 'text/plain', content });
  const known = await engineer.put('/stations/1/guidance', { files: ['valves.txt'] });
  expect(known.json().guidance.files).toEqual(['valves.txt']);
  const unknown = await engineer.put('/stations/1/guidance', { files: ['valves.txt', 'pumps.txt'] });
  expect(unknown.json()).toMatchObject({ code: 'unknown-reference', errors: [{ pointer: '/files/1' }] });
});

test.for([
  { steps: Array.from({ length: 21 }, () => 'again') },
  { steps: ['x'.repeat(501)] },
  { cause: 'x'.repeat(2_001) },
  { files: Array.from({ length: 21 }, () => 'valves.txt') },
  { respondSeconds: -1 },
])('guidance beyond the limits is refused: %#', async (body, { client }) => {
  expect((await client('engineer').put('/stations/1/guidance', body)).statusCode).toBe(400);
});

test('an engineer of one station writes for it, and for no other and no group of all stations', async ({
  client,
}) => {
  const engineer = client('engineer');
  await engineer.post('/stations', { name: 'South' });
  const shared = (await engineer.post('/taggroups', { name: 'Everywhere' })).json<number>();
  await engineer.put(`/taggroups/${shared}/guidance`, closeValve);
  const bound = client('engineer', { stationIds: [2] });
  expect((await bound.put('/stations/2/guidance', closeValve)).statusCode).toBe(200);
  expect((await bound.put('/stations/1/guidance', closeValve)).statusCode).toBe(404);
  expect((await bound.get(`/taggroups/${shared}/guidance`)).json().guidance).toMatchObject(closeValve);
  expect((await bound.put(`/taggroups/${shared}/guidance`, {})).statusCode).toBe(403);
});

test('guidance goes with the object it was written for', async ({ client }) => {
  const engineer = client('engineer');
  const group = (await engineer.post('/taggroups', { name: 'Pumps' })).json<number>();
  await engineer.put(`/taggroups/${group}/guidance`, closeValve);
  expect((await engineer.delete(`/taggroups/${group}`)).statusCode).toBe(204);
  expect((await engineer.get(`/taggroups/${group}/guidance`)).statusCode).toBe(404);
});

test('a tag shows its last reported value, when it came, and where its guidance is from', async ({
  client,
  clock,
}) => {
  const engineer = client('engineer');
  const { highLift, pumps, alarm } = await plant(engineer);
  await engineer.put(`/taggroups/${highLift}/guidance`, closeValve);
  clock.advance(60);
  await engineer.post('/alarms', { path: 'P302', value: '19' });
  clock.advance(60);
  await engineer.post(`/alarms/${alarm}/acknowledge`, {});
  expect((await client('viewer').get(`/tags/${alarm}`)).json()).toMatchObject({
    id: alarm,
    path: 'P302',
    fullPath: 'PLC\\P302',
    stationId: 1,
    station: 'Valmont',
    tagGroupId: pumps,
    tagGroup: 'Pumps',
    value: '19',
    reportTime: '2026-03-01T07:01:00+01:00',
    guidanceFrom: { object: 'tagGroup', id: highLift, name: 'High lift' },
    respondSeconds: 300,
  });
});

test('a new value of an alarm that is on already is stored with its time', async ({ client, clock }) => {
  const engineer = client('engineer');
  const { alarm } = await plant(engineer);
  await engineer.post(`/alarms/${alarm}/acknowledge`, {});
  clock.advance(60);
  await engineer.post('/alarms', { path: 'P302', value: '23' });
  expect((await engineer.get(`/tags/${alarm}`)).json()).toMatchObject({
    value: '23',
    reportTime: '2026-03-01T07:01:00+01:00',
  });
});
