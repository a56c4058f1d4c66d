import { expect } from 'vitest';
import { type Client, test } from '../testing/app.fixture.ts';

const night = { from: '2026-03-02T22:00:00+01:00', to: '2026-03-03T06:00:00+01:00' };
const allDay = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ teamId: 1, day, start: '00:00', end: '24:00' }));

/** Anna and Ben are on duty together; Cleo is not. */
async function hire(admin: Client): Promise<void> {
  await admin.put('/stations/1', { name: 'Default', timeZone: 'Europe/Paris' });
  const settings = { host: '127.0.0.1', port: 1, from: 'alarm@plant.example' };
  await admin.post('/channels', { name: 'mail', kind: 'email', settings });
  for (const username of ['anna', 'ben', 'cleo']) {
    const media = [{ kind: 'Email', address: `${username}@plant.example` }];
    await admin.post('/users', { username, role: 'operator', media });
  }
  const teams = [{ id: 1, name: 'A', userIds: [1, 2] }];
  await admin.post('/callgroups', { name: 'Process', teams, roster: { slotMinutes: 60, slots: allDay } });
}

const firstCalled = async (client: Client, at: string) =>
  (await client.post('/call/preview', { callGroupId: 1, at, seconds: 1 })).json().calls[0]?.user;
const gaps = async (client: Client) => (await client.get('/callgroups/gaps')).json().items[0].gaps;

test('an operator takes over a duty of somebody, and is called instead', async ({ client }) => {
  await hire(client('admin'));
  const cleo = client('operator', { userId: 3 });
  const body = { userId: 3, replacesUserId: 1, ...night, reason: 'Anna is ill' };
  const taken = await cleo.post('/callgroups/1/overrides', body);
  expect(taken.statusCode).toBe(200);
  expect(taken.json().roster.overrides).toEqual([{ teamId: 0, ...body }]);
  expect(taken.headers['etag']).toBe('"2"');
  expect(await firstCalled(cleo, '2026-03-02T23:00:00+01:00')).toBe('cleo');
  expect(await firstCalled(cleo, '2026-03-03T07:00:00+01:00')).toBe('anna');
  const [entry] = (await client('admin').get('/audit?action=call-group.change')).json().items;
  expect(entry).toMatchObject({ after: { roster: { overrides: [{ userId: 3 }] } } });
});

test('an operator gives no duty to somebody else, and a viewer takes none', async ({ client }) => {
  await hire(client('admin'));
  const given = await client('operator', { userId: 3 }).post('/callgroups/1/overrides', {
    userId: 1,
    ...night,
  });
  expect(given.json()).toMatchObject({ code: 'not-allowed' });
  const viewed = await client('viewer', { userId: 3 }).post('/callgroups/1/overrides', {
    userId: 3,
    ...night,
  });
  expect(viewed.statusCode).toBe(403);
  const planned = await client('engineer').post('/callgroups/1/overrides', { userId: 1, ...night });
  expect(planned.statusCode).toBe(200);
});

test('an override names a known team or person, and nobody stands in for themself', async ({ client }) => {
  const engineer = client('engineer');
  await hire(client('admin'));
  const codeOf = async (body: object) =>
    (await engineer.post('/callgroups/1/overrides', { ...night, ...body })).json();
  expect(await codeOf({})).toMatchObject({ code: 'unknown-reference' });
  expect(await codeOf({ teamId: 9 })).toMatchObject({ code: 'unknown-reference' });
  expect(await codeOf({ userId: 2, replacesUserId: 2 })).toMatchObject({ code: 'invalid-request' });
  expect(await codeOf({ userId: 99 })).toMatchObject({ code: 'unknown-reference' });
});

test('an override on a roster that was changed meanwhile is refused by its ETag', async ({ client }) => {
  const engineer = client('engineer');
  await hire(client('admin'));
  await engineer.post('/callgroups/1/overrides', { userId: 3, ...night });
  const late = await engineer.post('/callgroups/1/overrides', { userId: 2, ...night }, { 'if-match': '"1"' });
  expect(late.statusCode).toBe(412);
});

test('people on leave are not called; if nobody is left, the gap is foretold', async ({ client }) => {
  const admin = client('admin');
  await hire(admin);
  expect(await gaps(admin)).toEqual([]);
  const anna = client('operator', { userId: 1 });
  expect((await anna.post('/leaves', { userId: 1, ...night })).body).toBe('1');
  expect(await firstCalled(anna, '2026-03-02T23:00:00+01:00')).toBe('ben');
  expect((await anna.post('/leaves', { userId: 2, ...night })).statusCode).toBe(403);
  await client('engineer').post('/leaves', { userId: 2, ...night });
  expect(await gaps(admin)).toEqual([{ startTime: night.from, endTime: night.to }]);
  const leaves = (await anna.get('/leaves?from=2026-03-03T00:00:00&to=2026-03-04T00:00:00')).json().items;
  expect(leaves).toMatchObject([
    { id: 1, user: 'anna', ...night },
    { id: 2, user: 'ben', ...night },
  ]);
  expect((await anna.delete('/leaves/1')).statusCode).toBe(204);
  expect(await gaps(admin)).toEqual([]);
});

test('a roster keeps its rotation and its holidays, and refuses days that do not exist', async ({
  client,
}) => {
  const engineer = client('engineer');
  const teams = [
    { id: 1, name: 'A', userIds: [] },
    { id: 2, name: 'B', userIds: [] },
  ];
  const roster = {
    slotMinutes: 60,
    slots: [1, 2].map((week) => ({ teamId: week, day: 1, start: '00:00', end: '24:00', week })),
    overrides: [],
    rotation: { weeks: 2, start: '2026-03-02' },
    holidays: [{ date: '2026-12-25', name: 'Christmas' }, { date: '2026-12-26' }],
  };
  await engineer.post('/callgroups', { name: 'Process', teams, roster });
  expect((await engineer.get('/callgroups/1')).json().roster).toEqual(roster);
  const refused = async (change: object) =>
    (await engineer.post('/callgroups', { name: 'Other', teams, roster: { ...roster, ...change } })).json()
      .errors[0].pointer;
  expect(await refused({ holidays: [{ date: '2026-02-30' }] })).toBe('/roster/holidays/0/date');
  expect(await refused({ rotation: { weeks: 1, start: '2026-03-02' } })).toBe('/roster/slots/1/week');
});
