import { expect } from 'vitest';
import { createAlarmWriter } from '../../alarms/write/alarm-writer.ts';
import { addGroup, addPerson } from '../../calls/testing/people.fixture.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import type { Client } from '../../testing/app.fixture.ts';
import { checkRosters } from '../monitoring/check-rosters.ts';
import { test, voice } from '../testing/dispatch.fixture.ts';
import { systemAlarms } from '../testing/system-alarms.fixture.ts';
import { escalateDue } from './escalate-due.ts';

type Clients = (role: 'admin' | 'viewer', settings?: { userId: number }) => Client;

/** Ada has added her own number, and nobody has confirmed it. */
async function addNewcomer(client: Clients): Promise<number> {
  const ada = await addPerson(client('admin'), 'Ada', { media: [] });
  await client('viewer', { userId: ada }).put(`/users/${ada}/media`, voice('+331'));
  return ada;
}

const alarmFor = (groupId: number, more: object = {}) => ({
  path: 'boiler/1',
  alarmMessage: 'Boiler 1 overheats',
  alarmActions: [{ type: 'CallGroup', id: groupId }],
  ...more,
});

test('an unconfirmed number is passed over, and the next person is called', async ({
  client,
  work,
  world,
}) => {
  const ada = await addNewcomer(client);
  const grace = await addPerson(client('admin'), 'Grace', voice('+332'));
  const groupId = await addGroup(client('admin'), 'Technicians', { userIds: [ada, grace] });
  const preview = (await client('admin').post('/call/preview', { callGroupId: groupId })).json();
  expect(preview.calls[0]).toMatchObject({ userId: grace });
  expect(preview.notices).toContainEqual(expect.objectContaining({ kind: 'unconfirmed', userId: ada }));
  await client('admin').post('/alarms', alarmFor(groupId));
  await work();
  expect(world.sent.map(({ address }) => address)).toEqual(['+332']);
});

test('for priority 2 nobody calls it, and a system alarm says why nobody was called', async ({
  client,
  runtime,
  work,
  world,
}) => {
  const groupId = await addGroup(client('admin'), 'Technicians', { userIds: [await addNewcomer(client)] });
  await client('admin').post('/alarms', alarmFor(groupId, { priority: 2 }));
  await work();
  expect(world.sent).toEqual([]);
  const messages = await inTenant(runtime.database, 1, (transaction) =>
    transaction.selectFrom('systemAlarms').select('message').orderBy('path').execute(),
  );
  expect(messages.map(({ message }) => message)).toContain(
    'Nobody of call group Technicians can be called for alarm 1 (Boiler 1 overheats): Ada has no confirmed address',
  );
});

test('for priority 1 it is called as a last resort, and the system alarm says so', async ({
  client,
  runtime,
  work,
  world,
}) => {
  const groupId = await addGroup(client('admin'), 'Technicians', { userIds: [await addNewcomer(client)] });
  await client('admin').post('/alarms', alarmFor(groupId, { priority: 1 }));
  await work();
  expect(world.sent.map(({ address }) => address)).toEqual(['+331']);
  const messages = await inTenant(runtime.database, 1, (transaction) =>
    transaction.selectFrom('systemAlarms').select('message').execute(),
  );
  expect(messages.map(({ message }) => message)).toEqual([
    'Nobody of call group Technicians can be called for alarm 1 (Boiler 1 overheats): Ada has no confirmed address; unconfirmed addresses are called, because nobody else is left',
  ]);
});

test('a call by hand is refused, and says that the address is not confirmed', async ({
  client,
  work,
  world,
}) => {
  const ada = await addNewcomer(client);
  const answer = await client('admin').post('/call/users', { userIds: [ada], msgText: 'Come' });
  expect(answer.body).toBe('false');
  expect(answer.headers['call-refusal']).toBe(`user ${ada} has no confirmed address`);
  await work();
  expect(world.sent).toEqual([]);
});

test('a roster with only unconfirmed addresses has a gap', async ({ client, runtime }) => {
  const ada = await addNewcomer(client);
  const slots = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ teamId: 1, day, start: '00:00', end: '24:00' }));
  const groupId = await addGroup(client('admin'), 'Night', {
    teams: [{ id: 1, name: 'Night', userIds: [ada] }],
    roster: { slotMinutes: 60, slots },
  });
  await checkRosters(runtime, createAlarmWriter(runtime));
  const gaps = await systemAlarms(runtime);
  expect(gaps).toMatchObject([{ path: `tocsin/rosters/${groupId}`, state: 3 }]);
});

test('a queued call is withdrawn if the address is not confirmed when it is sent', async ({
  client,
  dispatch,
  runtime,
  technicians,
  work,
  world,
}) => {
  await technicians.raise({ priority: 2 });
  await escalateDue(runtime, dispatch.configuration, 100);
  // Ada removes the number and adds it again.
  const ada = client('viewer', { userId: technicians.ada });
  await ada.put(`/users/${technicians.ada}/media`, { media: [] });
  await ada.put(`/users/${technicians.ada}/media`, voice('+331'));
  await work();
  expect(world.sent.map(({ address }) => address)).not.toContain('+331');
});
