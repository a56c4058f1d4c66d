import { defaultConsoleSettings, type SavedView } from '@tocsin/contract';
import { expect } from 'vitest';
import { createTenant } from '../people/create-tenant.ts';
import { test as base } from '../testing/app.fixture.ts';

const view = { name: 'Boilers, new', search: '?area=3&state=new' };

/** A tenant with Ada (operator), Ben (operator) and Eve (engineer). */
const test = base.extend('people', async ({ client }) => {
  const admin = client('admin');
  const ids: number[] = [];
  for (const [username, role] of [
    ['ada', 'operator'],
    ['ben', 'operator'],
    ['eve', 'engineer'],
  ] as const)
    ids.push((await admin.post('/users', { username, name: username, role })).json<number>());
  const [ada = 0, ben = 0, eve = 0] = ids;
  return {
    ada: client('operator', { userId: ada, name: 'ada' }),
    ben: client('operator', { userId: ben, name: 'ben' }),
    eve: client('engineer', { userId: eve, name: 'eve' }),
    boundEve: client('engineer', { userId: eve, name: 'eve', stationIds: [1] }),
    key: client('operator', { keyId: 1, name: 'gateway' }),
    adaId: ada,
  };
});
const itemsOf = (answer: { json(): { items: SavedView[] } }) => answer.json().items;

test('a view is seen by its owner only, until it is shared', async ({ people: { ada, ben, adaId } }) => {
  const id = (await ada.post('/me/views', view)).json<number>();
  const url = `/me/views/${id}`;
  expect((await ada.get(url)).json()).toEqual({ id, ...view, shared: false, ownerId: adaId, owner: 'ada' });
  expect(itemsOf(await ben.get('/me/views'))).toEqual([]);
  for (const attempt of [ben.get(url), ben.put(url, view), ben.delete(url)])
    expect((await attempt).statusCode).toBe(404);

  await ada.put(url, { ...view, shared: true });
  expect(itemsOf(await ben.get('/me/views'))).toMatchObject([{ id, shared: true, owner: 'ada' }]);
});

test('a shared view is changed by its owner or an engineer, and unshared by its owner only', async ({
  people: { ada, ben, eve, boundEve },
}) => {
  const url = `/me/views/${(await ada.post('/me/views', { ...view, shared: true })).json<number>()}`;
  const refused = await ben.put(url, { ...view, name: 'mine' });
  expect(refused.json()).toMatchObject({
    status: 403,
    detail: 'ben may use this view of ada, not change it',
  });
  expect((await ben.delete(url)).statusCode).toBe(403);
  expect((await boundEve.delete(url)).statusCode).toBe(403);
  expect((await eve.put(url, { ...view, shared: false })).json()).toMatchObject({
    status: 403,
    detail: 'Only ada may stop sharing this view',
  });
  expect((await eve.put(url, { ...view, name: 'Boilers' })).json()).toMatchObject({
    name: 'Boilers',
    shared: true,
    owner: 'ada',
  });
  expect((await eve.delete(url)).statusCode).toBe(204);
  expect((await ada.get(url)).statusCode).toBe(404);
});

test('a view is not overwritten by somebody who has not seen its last change', async ({
  people: { ada },
}) => {
  const url = `/me/views/${(await ada.post('/me/views', view)).json<number>()}`;
  const { etag } = (await ada.get(url)).headers;
  const ifMatch = { 'if-match': String(etag) };
  expect((await ada.put(url, { ...view, name: 'first' }, ifMatch)).statusCode).toBe(200);
  expect((await ada.put(url, { ...view, name: 'second' }, ifMatch)).statusCode).toBe(412);
});

test('a user has each name once, others may have it too, and nobody has more than 200 views', async ({
  people: { ada, ben },
}) => {
  for (let n = 1; n <= 200; n++)
    expect((await ada.post('/me/views', { ...view, name: `view ${n}` })).statusCode).toBe(200);
  expect((await ada.post('/me/views', { ...view, name: 'one more' })).json()).toMatchObject({
    status: 409,
    detail: 'ada has 200 views: delete one first',
  });
  expect((await ben.post('/me/views', { ...view, name: 'view 1' })).statusCode).toBe(200);
  expect((await ben.post('/me/views', { ...view, name: 'view 1' })).statusCode).toBe(409);
  const long = { name: 'long', search: 'x'.repeat(2_049) };
  expect((await ben.post('/me/views', long)).statusCode).toBe(400);
});

test('views and settings of another tenant do not exist', async ({ people: { ada }, client, runtime }) => {
  await createTenant(runtime, { name: 'Brenner Gas', station: 'Brenner', dataServer: 'PLC' });
  const url = `/me/views/${(await ada.post('/me/views', { ...view, shared: true })).json<number>()}`;
  await ada.put('/me/console-settings', { theme: 'dark' });
  const stranger = client('admin', { tenantId: 2, userId: 1 });
  expect(itemsOf(await stranger.get('/me/views'))).toEqual([]);
  for (const attempt of [stranger.get(url), stranger.put(url, view), stranger.delete(url)])
    expect((await attempt).statusCode).toBe(404);
  expect((await stranger.get('/me/console-settings')).json()).toEqual(defaultConsoleSettings);
});

test('an API key has neither views nor settings, and is told so', async ({ people: { key } }) => {
  const attempts = [
    key.get('/me/views'),
    key.post('/me/views', view),
    key.get('/me/console-settings'),
    key.put('/me/console-settings', {}),
  ];
  for (const attempt of attempts)
    expect((await attempt).json()).toMatchObject({
      status: 403,
      detail: 'gateway is an API key: only users have views and settings',
    });
});

test('the settings of the console are those of one user, and the defaults until they are changed', async ({
  people: { ada, ben },
}) => {
  const first = await ada.get('/me/console-settings');
  expect([first.json(), first.headers.etag]).toEqual([defaultConsoleSettings, '"0"']);
  const body = { theme: 'dark', density: 24, sound: { volume: 20 }, unknown: true };
  const changed = await ada.put('/me/console-settings', body, { 'if-match': '"0"' });
  const expected = {
    ...defaultConsoleSettings,
    theme: 'dark',
    density: 24,
    sound: { ...defaultConsoleSettings.sound, volume: 20 },
  };
  expect([changed.json(), changed.headers.etag]).toEqual([expected, '"1"']);
  expect((await ada.get('/me/console-settings')).json()).toEqual(expected);
  expect((await ada.put('/me/console-settings', {}, { 'if-match': '"0"' })).statusCode).toBe(412);
  expect((await ben.get('/me/console-settings')).json()).toEqual(defaultConsoleSettings);
});

test.for([
  { theme: 'green' },
  { density: 20 },
  { language: 'it' },
  { zone: 'UTC' },
  { sound: { volume: 101 } },
  { sound: { lowestPriority: 0 } },
])('the settings %o are refused', async (body, { people: { ada } }) => {
  expect((await ada.put('/me/console-settings', body)).statusCode).toBe(400);
});

test('who changes a setting or a view is in the audit trail', async ({ people: { ada, adaId }, client }) => {
  await ada.put('/me/console-settings', { theme: 'dark' });
  await ada.post('/me/views', view);
  const { items } = (await client('admin').get('/audit?limit=2')).json<{ items: object[] }>();
  expect(items).toMatchObject([
    { action: 'saved-view.create', actor: { name: 'ada' } },
    {
      action: 'console-settings.change',
      object: { kind: 'user', id: String(adaId) },
      actor: { name: 'ada' },
    },
  ]);
});
