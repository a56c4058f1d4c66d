import { expect } from 'vitest';
import { test } from '../../testing/app.fixture.ts';

type Page = { items: { id: number }[]; paging: { limit: number; total: number } };

test('a client that writes members in PascalCase resets the alarm it means', async ({ client }) => {
  const machine = client('operator');
  const id = (await machine.post('/alarms', { path: 'pump' })).json<number>();
  const answer = await machine.post('/alarms', { Path: 'pump', Raised: false, Priority: 3 });
  expect(answer.json()).toBe(id);
  expect((await machine.get(`/alarms/${id}`)).json()).toMatchObject({ state: 2, priority: 3 });
});

test('members of members match in any case too', async ({ client }) => {
  const operator = client('operator');
  const body = {
    Path: 'gate',
    EVENTCONDITION: { Resettable: false },
    Location: { Zone: 'Hall 3', BeaconList: [{ Id: 'b1', TYPE: 'Nfc' }] },
  };
  const id = (await operator.post('/alarms', body)).json<number>();
  expect((await operator.get(`/alarms/${id}`)).json()).toMatchObject({
    eventCondition: { resettable: false },
    location: { zone: 'Hall 3', beaconList: [{ id: 'b1', type: 'Nfc' }] },
  });
});

test('an exact name wins, and of two others the last', async ({ client }) => {
  const operator = client('operator');
  const raise = async (text: string) => {
    const answer = await operator.post('/alarms', text, { 'content-type': 'application/json' });
    return (await operator.get(`/alarms/${answer.body}`)).json<{ path: string }>().path;
  };
  expect(await raise('{"path":"exact","Path":"other"}')).toBe('exact');
  expect(await raise('{"PATH":"other","path":"exact"}')).toBe('exact');
  expect(await raise('{"PATH":"first","Path":"second"}')).toBe('second');
});

test('a fault names the member as the interface does', async ({ client }) => {
  const answer = await client('operator').post('/alarms', {
    Location: { BeaconList: [{ Accuracy: 'near' }] },
  });
  expect(answer.json()).toMatchObject({ errors: [{ pointer: '/location/beaconList/0/accuracy' }] });
});

test('the settings of a channel match in any case too', async ({ client }) => {
  const settings = { URL: 'ftp://phones.example' };
  const body = { Name: 'Phones', Kind: 'simulated', Settings: settings };
  const answer = await client('admin').post('/channels', body);
  expect(answer.json()).toMatchObject({ errors: [{ pointer: '/settings/url' }] });
});

test('a password in another case is not stored for a repetition', async ({ client }) => {
  const admin = client('admin');
  const headers = { 'idempotency-key': 'hire' };
  const hire = (Password: string) => admin.post('/users', { Username: 'guard', Password }, headers);
  const first = await hire('a long enough password');
  expect(first.statusCode).toBe(200);
  expect((await hire('another long password')).body).toBe(first.body);
});

test('query names match in any case, and an exact one wins', async ({ client }) => {
  const operator = client('operator');
  for (const path of ['a', 'b', 'c']) await operator.post('/alarms', { path });
  const read = async (query: string) => (await operator.get(`/alarms?${query}`)).json<Page>();
  expect((await read('LIMIT=1&Sort=-id')).items).toHaveLength(1);
  expect((await read('Limit=1&limit=2')).paging.limit).toBe(2);
  expect((await read('limit=2&LIMIT=1')).paging.limit).toBe(2);
  expect((await read('Search=b')).paging.total).toBe(1);
  expect((await operator.get('/alarms?Limit=ten')).json()).toMatchObject({ errors: [{ pointer: 'limit' }] });
});

test('an identifier of 0 in a query counts as absent', async ({ client }) => {
  const engineer = client('admin');
  await engineer.post('/alarms', { path: 'pump' });
  await engineer.post('/callgroups', { name: 'Night' });
  await engineer.post('/taggroups', { name: 'Wells' });
  const totalOf = async (path: string) => (await engineer.get(path)).json<Page>().paging.total;
  const ids = 'stationId=0&dataServerId=0&tagGroupId=0&callGroupId=0';
  expect(await totalOf(`/alarms?${ids}&scenarioId=0`)).toBe(1);
  expect(await totalOf(`/alarms/histories?${ids}&userId=0`)).toBe(1);
  expect(await totalOf(`/alarms/statistics?${ids}&userId=0`)).toBe(1);
  expect(await totalOf('/callgroups?stationId=0&groupingId=0')).toBe(1);
  expect(await totalOf('/taggroups?StationId=0&parentId=0')).toBe(1);
  expect(await totalOf('/alarms?alarmState=0'), 'a state of 0 is a state').toBe(0);
});

test('a tag stays in its group when a client fills in zeros', async ({ client }) => {
  const engineer = client('engineer');
  const tagGroupId = (await engineer.post('/taggroups', { name: 'Wells' })).json<number>();
  const id = (await engineer.post('/alarms', { path: 'pump', tagGroupId })).json<number>();
  await engineer.post('/alarms', {
    path: 'pump',
    raised: false,
    tagGroupId: 0,
    stationId: 0,
    dataServerId: 0,
  });
  expect((await engineer.get(`/alarms/${id}`)).json()).toMatchObject({ tagGroupId, state: 2 });
});
