import { expect } from 'vitest';
import { createAlarmWriter } from '../../alarms/write/alarm-writer.ts';
import { addGroup, addPerson } from '../../calls/testing/people.fixture.ts';
import { createTenant } from '../../people/create-tenant.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { type Client, test } from '../../testing/app.fixture.ts';
import { systemAlarms } from '../testing/system-alarms.fixture.ts';
import { checkRosters } from './check-rosters.ts';

const look = (runtime: Runtime) => checkRosters(runtime, createAlarmWriter(runtime));

const days = [1, 2, 3, 4, 5, 6, 7];
const everyDay = days.map((day) => ({ teamId: 1, day, start: '00:00', end: '24:00' }));
/** Nobody on Monday mornings. */
const butMonday = everyDay.map((slot) => (slot.day === 1 ? { ...slot, start: '08:00' } : slot));

async function nightTeam(
  admin: Client,
  slots: typeof everyDay = butMonday,
  more: object = {},
): Promise<object> {
  const media = [{ kind: 'Voice' as const, address: '+331' }];
  const ada = await addPerson(admin, `ada ${JSON.stringify(more)}`, { media });
  return { teams: [{ id: 1, name: 'Night', userIds: [ada] }], roster: { slotMinutes: 60, slots }, ...more };
}

async function change(admin: Client, groupId: number, body: object): Promise<void> {
  const found = await admin.get(`/callgroups/${groupId}`);
  const answer = await admin.put(`/callgroups/${groupId}`, body, {
    'if-match': String(found.headers['etag']),
  });
  expect(answer.statusCode).toBe(200);
}

/** Nobody is on duty by a slot, and one team by an override. */
const coveredUntil = (to: string) => ({
  slotMinutes: 60 as const,
  slots: [],
  overrides: [{ teamId: 1, from: '2026-02-01T00:00:00Z', to }],
});

// It is Sunday 1 March 2026, 07:00 in Paris.

test('the first gap of a roster raises an alarm, in the time zone of the station', async ({
  runtime,
  client,
}) => {
  const admin = client('admin');
  const groupId = await addGroup(admin, 'Night', await nightTeam(admin));
  await look(runtime);
  expect(await systemAlarms(runtime)).toEqual([
    {
      path: `tocsin/rosters/${groupId}`,
      message:
        'Nobody of call group Night is on duty from 2026-03-02 00:00 until 2026-03-02 08:00 (Europe/Paris)',
      state: 3,
      priority: 3,
      stationId: 1,
      occurrences: 1,
      repeats: 0,
    },
  ]);
});

test('the alarm about a gap belongs to the station of its group', async ({ runtime, client }) => {
  const admin = client('admin');
  const station = { name: 'Faaa', timeZone: 'Pacific/Tahiti' };
  const stationId = (await admin.post('/stations', station)).json<number>();
  await addGroup(admin, 'Island', { ...(await nightTeam(admin)), stationId });
  await look(runtime);
  const [told] = await systemAlarms(runtime);
  expect(told?.message).toContain('from 2026-03-02 00:00 until 2026-03-02 08:00 (Pacific/Tahiti)');
  const list = await client('viewer', { stationIds: [stationId] }).get('/alarms');
  expect(list.json<{ items: { message: string }[] }>().items).toMatchObject([{ message: told?.message }]);
});

test('the message follows the gap, and the alarm is reset with it', async ({ runtime, client, clock }) => {
  const admin = client('admin');
  const groupId = await addGroup(admin, 'Night', await nightTeam(admin));
  await look(runtime);
  const tuesday = everyDay.map((slot) => (slot.day === 2 ? { ...slot, end: '20:00' } : slot));
  await change(admin, groupId, { name: 'Night', ...(await nightTeam(admin, tuesday, { cycles: 2 })) });
  await look(runtime);
  expect(await systemAlarms(runtime)).toMatchObject([
    { message: expect.stringContaining('from 2026-03-03 20:00 until 2026-03-04 00:00'), occurrences: 1 },
  ]);
  clock.set('2026-03-03T19:30:00Z');
  await look(runtime);
  const [inGap] = await systemAlarms(runtime);
  expect(inGap?.message).toContain('is on duty now until 2026-03-04 00:00');

  await change(admin, groupId, { name: 'Night', ...(await nightTeam(admin, everyDay, { cycles: 1 })) });
  await look(runtime);
  expect(await systemAlarms(runtime)).toMatchObject([{ state: 2, occurrences: 1 }]);
});

test('an unchanged gap raises one alarm', async ({ runtime, client, clock }) => {
  const admin = client('admin');
  await addGroup(admin, 'Night', await nightTeam(admin));
  await addGroup(admin, 'Nobody yet', {
    ...(await nightTeam(admin, [], { cycles: 4 })),
    roster: coveredUntil('2026-02-02T00:00:00Z'),
  });
  for (let hour = 0; hour < 16; hour++) {
    await Promise.all([look(runtime), look(runtime), look(runtime)]);
    clock.advance(3_600);
  }
  const told = await systemAlarms(runtime);
  expect(told.map(({ occurrences, repeats }) => ({ occurrences, repeats }))).toEqual([
    { occurrences: 1, repeats: 0 },
    { occurrences: 1, repeats: 0 },
  ]);
  expect(told[1]?.message).toContain('now on, without an end in the next 30 days');
});

test('a gap raises an alarm 30 days ahead, and not sooner', async ({ runtime, client, clock }) => {
  const admin = client('admin');
  const roster = coveredUntil('2026-04-05T00:00:00Z');
  await addGroup(admin, 'Night', { ...(await nightTeam(admin)), roster });
  for (const instant of ['2026-03-01T06:00:00Z', '2026-03-05T23:30:00Z']) {
    clock.set(instant);
    await look(runtime);
    expect(await systemAlarms(runtime)).toEqual([]);
  }
  clock.advance(3_600);
  await look(runtime);
  expect(await systemAlarms(runtime)).toMatchObject([
    { message: expect.stringContaining('from 2026-04-05 02:00 on, without an end in the next 30 days') },
  ]);
});

test('a roster that is changed during its check is checked again', async ({ runtime, client }) => {
  const admin = client('admin');
  const groupId = await addGroup(admin, 'Night', await nightTeam(admin));
  const filled = { name: 'Night', ...(await nightTeam(admin, everyDay, { cycles: 2 })) };
  const writer = createAlarmWriter(runtime);
  const submit: typeof writer.submit = async (...told) => {
    await change(admin, groupId, filled);
    return writer.submit(...told);
  };
  await checkRosters(runtime, { submit });
  expect(await systemAlarms(runtime)).toMatchObject([{ state: 3 }]);
  await look(runtime);
  expect(await systemAlarms(runtime)).toMatchObject([{ state: 2 }]);
});

test('a person on duty who cannot be called leaves a gap, so a lost number raises an alarm', async ({
  runtime,
  client,
}) => {
  const admin = client('admin');
  await addGroup(admin, 'Night', await nightTeam(admin, everyDay));
  await look(runtime);
  expect(await systemAlarms(runtime)).toEqual([]);
  const found = await admin.get('/users/1');
  await admin.put(
    '/users/1',
    { ...found.json<object>(), media: [] },
    { 'if-match': String(found.headers['etag']) },
  );
  await look(runtime);
  expect(await systemAlarms(runtime)).toMatchObject([{ state: 3 }]);
});

test('a group without a roster raises no alarm, and the alarm of a deleted group is reset', async ({
  runtime,
  client,
}) => {
  const admin = client('admin');
  await addGroup(admin, 'Empty');
  await addGroup(admin, 'Always', { userIds: [await addPerson(admin, 'Bob')] });
  const groupId = await addGroup(admin, 'Night', await nightTeam(admin));
  await look(runtime);
  expect(await systemAlarms(runtime)).toMatchObject([{ path: `tocsin/rosters/${groupId}`, state: 3 }]);
  const { headers } = await admin.get(`/callgroups/${groupId}`);
  await admin.delete(`/callgroups/${groupId}`, { 'if-match': String(headers['etag']) });
  await look(runtime);
  expect(await systemAlarms(runtime)).toMatchObject([{ path: `tocsin/rosters/${groupId}`, state: 2 }]);
});

test('each tenant gets alarms about its own rosters', async ({ runtime, client }) => {
  const second = await createTenant(runtime, { name: 'Brume Wind' });
  const other = client('admin', { tenantId: second });
  await addGroup(other, 'Night', await nightTeam(other));
  await look(runtime);
  expect(await systemAlarms(runtime)).toEqual([]);
  expect(await systemAlarms(runtime, second)).toMatchObject([{ path: 'tocsin/rosters/1', state: 3 }]);
});
