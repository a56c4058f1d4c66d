import { expect } from 'vitest';
import { type Client, test } from '../testing/app.fixture.ts';
import { tinyImage } from '../testing/tiny-image.ts';

const create = async (client: Client, path: string, body: object) => {
  const answer = await client.post(path, body);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<number>();
};

const upload = (client: Client, name = 'hall.png') =>
  create(client, '/mediafiles', { name, contentType: 'image/png', content: tinyImage });

const hall = { name: 'Pump hall', image: 'hall.png' };

test('a plan has an image of the library, its size, and positions in their order', async ({ client }) => {
  const engineer = client('engineer');
  const imageId = await upload(engineer);
  const tagGroupId = await create(engineer, '/taggroups', { name: 'Pumps', stationId: 1 });
  const tagId = await create(engineer, '/alarms', { path: 'P302' });
  const positions = [
    { x: 0.5, y: 0.25, tagId, label: 'P302' },
    { x: 0, y: 1, tagGroupId },
    { x: 0.125, y: 0.875, beaconId: 'B-17' },
  ];
  const id = await create(engineer, '/stations/1/plans', { ...hall, positions });
  const plan = {
    id,
    stationId: 1,
    ...hall,
    imageId,
    width: 1,
    height: 1,
    positions,
    lastChange: '2026-03-01T06:00:00',
  };
  expect((await client('viewer').get(`/plans/${id}`)).json()).toEqual(plan);
  expect((await client('viewer').get('/stations/1/plans')).json()).toEqual({
    items: [plan],
    paging: { offset: 0, limit: 10, total: 1 },
  });
});

test('a plan is replaced with its positions, by somebody who saw its last version', async ({ client }) => {
  const engineer = client('engineer');
  await upload(engineer);
  const id = await create(engineer, '/stations/1/plans', {
    ...hall,
    positions: [{ x: 0, y: 0, beaconId: 'old' }],
  });
  const etag = (await engineer.get(`/plans/${id}`)).headers['etag'] as string;
  const body = { ...hall, name: 'Hall', positions: [{ x: 1, y: 1, beaconId: 'new' }] };
  const replaced = await engineer.put(`/plans/${id}`, body, { 'if-match': etag });
  expect(replaced.json()).toMatchObject(body);
  expect((await engineer.put(`/plans/${id}`, hall, { 'if-match': etag })).statusCode).toBe(412);
  expect((await engineer.delete(`/plans/${id}`)).statusCode).toBe(204);
  expect((await engineer.get(`/plans/${id}`)).statusCode).toBe(404);
});

test.for([
  [{ x: 0, y: 0 }, '/positions/0'],
  [{ x: 0, y: 0, tagGroupId: 1, beaconId: 'B' }, '/positions/0'],
  [{ x: 1.1, y: 0, beaconId: 'B' }, '/positions/0/x'],
  [{ x: 0, y: 0, tagId: 99 }, '/positions/0/tagId'],
  [{ x: 0, y: 0, tagGroupId: 99 }, '/positions/0/tagGroupId'],
] as const)('a wrong position is refused by its place: %j', async ([position, pointer], { client }) => {
  const engineer = client('engineer');
  await upload(engineer);
  const answer = await engineer.post('/stations/1/plans', { ...hall, positions: [position] });
  expect(answer.json()).toMatchObject({ status: 400, errors: [{ pointer }] });
});

test('nothing is twice on one plan', async ({ client }) => {
  const engineer = client('engineer');
  await upload(engineer);
  const position = { x: 0, y: 0, beaconId: 'B' };
  const answer = await engineer.post('/stations/1/plans', { ...hall, positions: [position, position] });
  expect(answer.json()).toMatchObject({ status: 400, errors: [{ pointer: '/positions/1' }] });
});

test('a file that is missing or no image makes no plan', async ({ client }) => {
  const engineer = client('engineer');
  const content = Buffer.from('<svg onload="alert(1)"/>').toString('base64');
  await create(engineer, '/mediafiles', { name: 'hall.png', contentType: 'image/png', content });
  const drawing = await engineer.post('/stations/1/plans', hall);
  expect(drawing.json()).toMatchObject({ code: 'invalid-request', errors: [{ pointer: '/image' }] });
  const missing = await engineer.post('/stations/1/plans', { ...hall, image: 'x.png' });
  expect(missing.json()).toMatchObject({ code: 'unknown-reference', errors: [{ pointer: '/image' }] });
});

test('the image of a plan cannot be deleted, and the plan of a station keeps the station', async ({
  client,
}) => {
  const engineer = client('engineer');
  const imageId = await upload(engineer);
  await engineer.post('/stations', { name: 'South' });
  await create(engineer, '/stations/2/plans', hall);
  expect((await engineer.delete(`/mediafiles/${imageId}`)).statusCode).toBe(409);
  expect((await engineer.delete('/stations/2')).statusCode).toBe(409);
});

test('a tag of another station has no place on the plan', async ({ client }) => {
  const engineer = client('engineer');
  await upload(engineer);
  await engineer.post('/stations', { name: 'South' });
  const tagId = await create(engineer, '/alarms', { path: 'south', stationId: 2 });
  const answer = await engineer.post('/stations/1/plans', { ...hall, positions: [{ x: 0, y: 0, tagId }] });
  expect(answer.json()).toMatchObject({ code: 'unknown-reference' });
});

test('an engineer of one station draws its plans and sees no others', async ({ client }) => {
  const engineer = client('engineer');
  await upload(engineer);
  await engineer.post('/stations', { name: 'South' });
  const north = await create(engineer, '/stations/1/plans', hall);
  const bound = client('engineer', { stationIds: [2] });
  const south = await create(bound, '/stations/2/plans', hall);
  expect((await bound.put(`/plans/${south}`, { ...hall, name: 'Yard' })).statusCode).toBe(200);
  expect((await bound.get(`/plans/${north}`)).statusCode).toBe(404);
  expect((await bound.get('/stations/1/plans')).statusCode).toBe(404);
  expect((await bound.post('/stations/1/plans', hall)).statusCode).toBe(404);
});

test('an alarm is where its tag is, else its best beacon, else its nearest tag group', async ({ client }) => {
  const engineer = client('engineer');
  await upload(engineer);
  const area = await create(engineer, '/taggroups', { name: 'High lift' });
  const pumps = await create(engineer, '/taggroups', { name: 'Pumps', parentId: area });
  const location = {
    beaconList: [{ id: 'far', accuracy: 30 }, { id: 'unknown' }, { id: 'near', accuracy: 2 }],
  };
  const tagId = await create(engineer, '/alarms', { path: 'P302', tagGroupId: pumps, location });
  const place = async () => (await client('viewer').get(`/alarms/${tagId}/place`)).json();
  expect(await place()).toEqual({});

  const positions: object[] = [];
  const id = await create(engineer, '/stations/1/plans', hall);
  const draw = async (position: object) => {
    positions.push(position);
    expect((await engineer.put(`/plans/${id}`, { ...hall, positions })).statusCode).toBe(200);
  };
  await draw({ x: 0.1, y: 0.1, tagGroupId: area, label: 'High lift' });
  expect(await place()).toMatchObject({ rule: 'tagGroup', label: 'High lift', planId: id });
  await draw({ x: 0.2, y: 0.2, tagGroupId: pumps, label: 'Pumps' });
  expect(await place()).toMatchObject({ rule: 'tagGroup', label: 'Pumps' });
  await draw({ x: 0.3, y: 0.3, beaconId: 'far' });
  expect(await place()).toMatchObject({ rule: 'beacon', x: 0.3 });
  await draw({ x: 0.4, y: 0.4, beaconId: 'near' });
  expect(await place()).toMatchObject({ rule: 'beacon', x: 0.4 });
  await draw({ x: 0.5, y: 0.6, tagId });
  expect(await place()).toEqual({
    planId: id,
    plan: 'Pump hall',
    imageId: expect.any(Number),
    width: 1,
    height: 1,
    x: 0.5,
    y: 0.6,
    rule: 'tag',
  });
});

test('plans of other stations do not place an alarm, even by a beacon of the same name', async ({
  client,
}) => {
  const engineer = client('engineer');
  await upload(engineer);
  await engineer.post('/stations', { name: 'South' });
  await create(engineer, '/stations/2/plans', { ...hall, positions: [{ x: 0, y: 0, beaconId: 'B' }] });
  const location = { beaconList: [{ id: 'B' }] };
  const tagId = await create(engineer, '/alarms', { path: 'north', stationId: 1, location });
  expect((await engineer.get(`/alarms/${tagId}/place`)).json()).toEqual({});
});
