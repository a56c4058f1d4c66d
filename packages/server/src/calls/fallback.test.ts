import { expect } from 'vitest';
import { test } from '../dispatch/testing/dispatch.fixture.ts';
import { addGroup, addPerson } from './testing/people.fixture.ts';

const slots = [1, 2, 3, 4, 5].map((day) => ({ teamId: 1, day, start: '06:00', end: '18:00' }));

test('the fallback group is called when a call group has nobody left', async ({ client, world, work }) => {
  const admin = client('admin');
  const boss = await addPerson(admin, 'Boss', { media: [{ kind: 'Voice', address: '+339' }] });
  const fallback = await addGroup(admin, 'Management', { userIds: [boss] });
  const empty = await addGroup(admin, 'Nobody', {});
  expect((await client('viewer').get('/dispatch/settings')).json()).toMatchObject({
    fallbackCallGroupId: 0,
    tellCalled: false,
    tagQuietSeconds: 300,
    confirmAddresses: false,
  });
  const saved = await client('engineer').put('/dispatch/settings', { fallbackCallGroupId: fallback });
  expect(saved.json()).toMatchObject({ fallbackCallGroupId: fallback, tellCalled: false });
  await admin.post('/alarms', { path: 'a', alarmActions: [{ type: 'CallGroup', id: empty }] });
  await work();
  expect(world.sent.map(({ address }) => address)).toEqual(['+339']);

  const used = await admin.delete(`/callgroups/${fallback}`);
  expect(used.statusCode).toBe(409);
  await admin.put('/dispatch/settings', { fallbackCallGroupId: 0 });
  expect((await admin.get('/dispatch/settings')).json()).toMatchObject({
    fallbackCallGroupId: 0,
    tellCalled: false,
    tagQuietSeconds: 300,
    confirmAddresses: false,
  });
});

test('the fallback group must exist, and only users of the whole tenant may set it', async ({ client }) => {
  const admin = client('admin');
  const refused = await admin.put('/dispatch/settings', { fallbackCallGroupId: 7 });
  expect(refused.statusCode).toBe(400);
  expect(refused.json()).toMatchObject({
    code: 'unknown-reference',
    errors: [{ pointer: '/fallbackCallGroupId' }],
  });
  const bound = client('engineer', { stationIds: [1] });
  expect((await bound.put('/dispatch/settings', { fallbackCallGroupId: 0 })).statusCode).toBe(403);
  expect((await client('operator').put('/dispatch/settings', { fallbackCallGroupId: 0 })).statusCode).toBe(
    403,
  );
});

test('gaps in the rosters are listed 30 days ahead', async ({ client }) => {
  const admin = client('admin');
  const ada = await addPerson(admin, 'Ada');
  const mute = await addPerson(admin, 'Mute', { media: [] });
  const always = await addGroup(admin, 'Always', { userIds: [ada] });
  const week = await addGroup(admin, 'Week', {
    teams: [{ id: 1, name: 'Day', userIds: [ada] }],
    roster: { slotMinutes: 60, slots },
  });
  const silent = await addGroup(admin, 'Silent', { userIds: [mute] });
  const { items, paging } = (await client('viewer').get('/callgroups/gaps')).json();
  expect(paging.total).toBe(3);
  expect(items[0]).toEqual({ id: always, name: 'Always', gaps: [] });
  expect(items[1]).toMatchObject({ id: week, name: 'Week' });
  // From Sunday morning to Monday, then each night; the clocks change on 29 March.
  expect(items[1].gaps.slice(0, 2)).toEqual([
    { startTime: '2026-03-01T07:00:00+01:00', endTime: '2026-03-02T06:00:00+01:00' },
    { startTime: '2026-03-02T18:00:00+01:00', endTime: '2026-03-03T06:00:00+01:00' },
  ]);
  expect(items[1].gaps.at(-1).endTime).toBe('2026-03-31T06:00:00+02:00');
  // A person who cannot be called covers nothing.
  expect(items[2]).toEqual({
    id: silent,
    name: 'Silent',
    gaps: [{ startTime: '2026-03-01T07:00:00+01:00', endTime: '2026-03-31T08:00:00+02:00' }],
  });
});
