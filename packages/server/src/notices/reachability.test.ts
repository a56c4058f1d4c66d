import type { UserReachability } from '@tocsin/contract';
import { expect } from 'vitest';
import { addGroup, addPerson } from '../calls/testing/people.fixture.ts';
import { test } from '../dispatch/testing/dispatch.fixture.ts';

const media = [
  { kind: 'Voice' as const, address: '+331' },
  { kind: 'Sms' as const, address: '+336' },
];

test('a test goes to each medium, and the result is kept for each', async ({
  client,
  world,
  work,
  clock,
}) => {
  const admin = client('admin', { name: 'Ann' });
  const ada = await addPerson(admin, 'Ada', { media });
  const mute = await addPerson(admin, 'Mute', { media: [] });
  const path = `/users/${ada}/reachability`;
  expect((await admin.get(path)).json()).toMatchObject({
    reached: 'untested',
    testing: false,
    media: [{ state: 'untested' }, { state: 'untested' }],
  });
  world.answer = ({ address, attemptId }) =>
    address === '+331'
      ? { kind: 'failed', permanent: true, blame: 'recipient', reason: 'no such number' }
      : { kind: 'delivered', reference: attemptId };
  const begun = await admin.post(`${path}-test`);
  expect(begun.statusCode).toBe(200);
  expect(begun.json()).toMatchObject({ testing: true, media: [{ state: 'sending' }, { state: 'sending' }] });
  const second = await admin.post(`${path}-test`);
  expect(second.statusCode).toBe(409);
  expect(second.json()).toMatchObject({ detail: 'Ada is being tested: wait for the result' });
  await work();
  clock.advance(60);
  await work();
  expect(world.sent.map(({ address }) => address).toSorted()).toEqual(['+331', '+336']);
  const result = (await admin.get(path)).json<UserReachability>();
  expect(result).toMatchObject({
    user: 'Ada',
    reached: 'part',
    testing: false,
    media: [
      { medium: 'Voice', address: '+331', state: 'failed', reason: 'no such number' },
      { medium: 'Sms', address: '+336', state: 'delivered', reason: '' },
    ],
  });
  expect(result.media[1]?.stateTime).toBe('2026-03-01T06:00:00+00:00');
  const listed = (await admin.get('/reachability')).json<{ items: UserReachability[] }>();
  expect(listed.items.map(({ userId, reached }) => [userId, reached])).toEqual([
    [ada, 'part'],
    [mute, 'untested'],
  ]);
  expect((await admin.get('/reachability?reached=part')).json()).toMatchObject({ paging: { total: 1 } });
  expect((await admin.get('/alarms')).json(), 'a failing test raises no alarm').toMatchObject({ items: [] });
});

test('people test themselves, and others only if they may change them', async ({ client }) => {
  const admin = client('admin');
  const ada = await addPerson(admin, 'Ada', { media });
  const grace = await addPerson(admin, 'Grace', { media });
  const self = client('viewer', { userId: ada });
  expect((await self.post(`/users/${ada}/reachability-test`)).statusCode).toBe(200);
  expect((await self.get(`/users/${ada}/reachability`)).json()).toMatchObject({ testing: true });
  expect((await self.post(`/users/${grace}/reachability-test`)).statusCode).toBe(403);
  expect((await self.get(`/users/${grace}/reachability`)).statusCode).toBe(403);
  expect((await self.get('/reachability')).statusCode).toBe(403);
  const engineer = client('engineer', { userId: 999 });
  expect((await engineer.post(`/users/${grace}/reachability-test`)).statusCode).toBe(403);
  expect((await engineer.get(`/users/${grace}/reachability`)).statusCode).toBe(200);
  expect((await admin.post('/users/4711/reachability-test')).statusCode).toBe(404);
});

test('an address that is listed twice is tested once', async ({ client, world, work }) => {
  const admin = client('admin');
  const ada = await addPerson(admin, 'Ada', { media: [...media, ...media] });
  expect((await admin.post(`/users/${ada}/reachability-test`)).statusCode).toBe(200);
  await work();
  expect(world.sent).toHaveLength(2);
});

test('a person without a medium cannot be tested', async ({ client }) => {
  const admin = client('admin');
  const mute = await addPerson(admin, 'Mute', { media: [] });
  const refused = await admin.post(`/users/${mute}/reachability-test`);
  expect(refused.statusCode).toBe(409);
  expect(refused.json()).toMatchObject({
    detail: expect.stringContaining('enable the user and one of their media'),
  });
});

test('the settings of tests and reminders are kept, and absent ones stay', async ({ client }) => {
  const admin = client('admin');
  await addGroup(admin, 'Night');
  const saved = await admin.put('/dispatch/settings', {
    fallbackCallGroupId: 0,
    reachability: { everyDays: 7, at: '09:30', beforeShiftMinutes: 30 },
    shiftReminderMinutes: 15,
  });
  const wanted = {
    reachability: { everyDays: 7, at: '09:30', beforeShiftMinutes: 30 },
    shiftReminderMinutes: 15,
  };
  expect(saved.json()).toMatchObject(wanted);
  await admin.put('/dispatch/settings', { fallbackCallGroupId: 0 });
  expect((await admin.get('/dispatch/settings')).json()).toMatchObject(wanted);
  await admin.put('/dispatch/settings', {
    fallbackCallGroupId: 0,
    reachability: {},
    shiftReminderMinutes: 0,
  });
  expect((await admin.get('/dispatch/settings')).json()).toMatchObject({
    reachability: { at: '10:00' },
    shiftReminderMinutes: 0,
  });
  for (const bad of [{ everyDays: 91 }, { at: '25:00' }, { beforeShiftMinutes: 0 }]) {
    const refused = await admin.put('/dispatch/settings', { fallbackCallGroupId: 0, reachability: bad });
    expect(refused.statusCode).toBe(400);
  }
});
