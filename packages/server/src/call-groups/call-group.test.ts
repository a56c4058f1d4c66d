import { expect } from 'vitest';
import { type Client, test } from '../testing/app.fixture.ts';

async function addUsers(admin: Client, ...usernames: string[]): Promise<void> {
  for (const username of usernames) await admin.post('/users', { username });
}

const teams = [
  { id: 1, name: 'Day', userIds: [3, 1] },
  { id: 7, name: 'Night', userIds: [] },
];

const roster = (...slots: { start: string; end: string }[]) => ({
  slotMinutes: 30,
  slots: slots.map(({ start, end }) => ({ teamId: 1, day: 1, start, end })),
});

const overridden = (from: string, to: string, reason?: string) => ({
  slotMinutes: 60,
  slots: [],
  overrides: [{ teamId: 1, from, to, ...(reason !== undefined && { reason }) }],
});

test('a call group keeps everything it was given, people in calling order', async ({ client }) => {
  const admin = client('admin');
  await addUsers(admin, 'anna', 'bo', 'cleo');
  await admin.post('/callgroups', { name: 'Managers' });
  await admin.post('/callgroupgroupings', { name: 'Workshop' });
  const body = {
    name: 'Mechanics',
    localizedName: 'Mécaniciens',
    stationId: 1,
    mode: 'Turnover',
    userIds: [3, 1, 2],
    teams,
    roster: {
      slotMinutes: 15,
      slots: [
        { teamId: 7, day: 7, start: '22:15', end: '24:00' },
        { teamId: 1, day: 1, start: '00:00', end: '00:15' },
      ],
      overrides: [
        {
          teamId: 7,
          from: '2026-12-24T00:00:00+01:00',
          to: '2026-12-27T00:00:00+01:00',
          reason: 'Christmas',
        },
      ],
    },
    ackTimeout: 45,
    attempts: 2,
    cycles: 1,
    reliefGroupId: 1,
    groupingId: 1,
  };
  expect((await admin.post('/callgroups', body)).body).toBe('2');
  const expected = { id: 2, lastChange: '2026-03-01T06:00:00', ...body };
  expect((await admin.get('/callgroups/2')).json()).toEqual(expected);
  expect((await admin.get('/callgroups?stationId=1')).json().items).toEqual([expected]);

  const back = await admin.put('/callgroups/2', (await admin.get('/callgroups/2')).json());
  expect(back.json()).toEqual(expected);
});

test('a replacement removes the members that it omits', async ({ client }) => {
  const admin = client('admin');
  await addUsers(admin, 'anna', 'bo', 'cleo');
  const slots = roster({ start: '08:00', end: '16:30' });
  await admin.post('/callgroups', { name: 'Mechanics', userIds: [1, 2], teams, roster: slots, attempts: 9 });
  const replaced = await admin.put('/callgroups/1', { name: 'Mechanics', userIds: [2] });
  expect(replaced.json()).toMatchObject({
    userIds: [2],
    teams: [],
    roster: { slotMinutes: 60, slots: [], overrides: [] },
    attempts: 3,
  });
});

test('call groups are listed by grouping, or with 0 all of them', async ({ client }) => {
  const engineer = client('engineer');
  await engineer.post('/callgroupgroupings', { name: 'Workshop' });
  await engineer.post('/callgroups', { name: 'Mechanics', groupingId: 1 });
  await engineer.post('/callgroups', { name: 'Managers' });
  const names = async (query: string) =>
    (await engineer.get(`/callgroups?${query}`)).json().items.map(({ name }: { name: string }) => name);
  expect(await names('groupingId=1')).toEqual(['Mechanics']);
  expect(await names('groupingId=0')).toEqual(['Mechanics', 'Managers']);
  expect(await names('groupingId=1&search=managers')).toEqual([]);
});

test.for([
  { what: 'a user named twice', body: { userIds: [1, 2, 1] }, pointer: '/userIds/2' },
  {
    what: 'a user named twice in a team',
    body: { teams: [{ id: 1, name: 'Day', userIds: [2, 2] }] },
    pointer: '/teams/0/userIds/1',
  },
  { what: 'a team id used twice', body: { teams: [teams[0], teams[1], teams[0]] }, pointer: '/teams/2/id' },
  {
    what: 'a slot that begins between slots',
    body: { teams, roster: roster({ start: '08:00', end: '09:00' }, { start: '09:15', end: '10:00' }) },
    pointer: '/roster/slots/1/start',
  },
  {
    what: 'a slot that ends between slots',
    body: { teams, roster: roster({ start: '08:00', end: '08:45' }) },
    pointer: '/roster/slots/0/end',
  },
  {
    what: 'a slot without length',
    body: { teams, roster: roster({ start: '08:00', end: '08:00' }) },
    pointer: '/roster/slots/0/end',
  },
  {
    what: 'a slot that ends before it begins',
    body: { teams, roster: roster({ start: '22:00', end: '06:00' }) },
    pointer: '/roster/slots/0/end',
  },
  {
    what: 'a slot length that is none',
    body: { teams, roster: { slotMinutes: 20, slots: [] } },
    pointer: '/roster/slotMinutes',
  },
  {
    what: 'an override from a day that does not exist',
    body: { teams, roster: overridden('2026-02-30T00:00:00', '2026-03-02T00:00:00') },
    pointer: '/roster/overrides/0/from',
  },
  {
    what: 'an override to no date',
    body: { teams, roster: overridden('2026-02-28T00:00:00', 'next Tuesday') },
    pointer: '/roster/overrides/0/to',
  },
  {
    what: 'an override that ends when it begins',
    body: { teams, roster: overridden('2026-01-01T10:00:00+01:00', '2026-01-01T09:00:00Z') },
    pointer: '/roster/overrides/0/to',
  },
  { what: 'a time-out that is too short', body: { ackTimeout: 1 }, pointer: '/ackTimeout' },
  { what: 'a mode that does not exist', body: { mode: 'Roulette' }, pointer: '/mode' },
])('$what is refused', async ({ body, pointer }, { client }) => {
  const admin = client('admin');
  await addUsers(admin, 'anna', 'bo', 'cleo');
  const answer = await admin.post('/callgroups', { name: 'Mechanics', ...body });
  expect(answer.json()).toMatchObject({ status: 400, code: 'invalid-request', errors: [{ pointer }] });
  expect((await admin.get('/callgroups')).json().paging.total).toBe(0);
});

test("times without offset are the station's, and answered in its zone, winter and summer", async ({
  client,
}) => {
  const admin = client('admin');
  await addUsers(admin, 'anna', 'bo', 'cleo');
  await admin.post('/stations', { name: 'Far', timeZone: 'Asia/Tokyo' });
  const body = { name: 'Mechanics', teams, roster: overridden('2026-03-28T12:00:00', '2026-03-30') };
  const answered = async (stationId: number) => {
    const { body: id } = await admin.post('/callgroups', { ...body, stationId });
    return (await admin.get(`/callgroups/${id}`)).json().roster.overrides;
  };
  const inParis = { teamId: 1, from: '2026-03-28T12:00:00+01:00', to: '2026-03-30T00:00:00+02:00' };
  expect(await answered(1)).toEqual([inParis]);
  expect(await answered(0)).toEqual([inParis]);
  expect(await answered(2)).toEqual([
    { teamId: 1, from: '2026-03-28T12:00:00+09:00', to: '2026-03-30T00:00:00+09:00' },
  ]);

  const { items } = (await admin.get('/callgroups')).json();
  expect(
    items.map(({ roster }: { roster: { overrides: { from: string }[] } }) => roster.overrides[0]?.from),
  ).toEqual(['2026-03-28T12:00:00+01:00', '2026-03-28T12:00:00+01:00', '2026-03-28T12:00:00+09:00']);
});

test('deleting a call group deletes its members and roster, and releases the users', async ({ client }) => {
  const admin = client('admin');
  await addUsers(admin, 'anna', 'bo', 'cleo');
  await admin.post('/callgroups', {
    name: 'Mechanics',
    userIds: [1],
    teams,
    roster: roster({ start: '08:00', end: '09:00' }),
  });
  expect((await admin.delete('/users/3')).statusCode).toBe(409);
  expect((await admin.delete('/callgroups/1')).statusCode).toBe(204);
  expect((await admin.delete('/users/3')).statusCode).toBe(204);
  expect((await admin.delete('/users/1')).statusCode).toBe(204);
});
