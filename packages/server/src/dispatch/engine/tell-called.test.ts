import { expect } from 'vitest';
import { addGroup, addPerson } from '../../calls/testing/people.fixture.ts';
import type { Client } from '../../testing/app.fixture.ts';
import { test } from '../testing/dispatch.fixture.ts';

/** Ada has a telephone and a mail address, Grace a telephone and texts in French, Edith only a telephone. */
async function nightShift(admin: Client, more: object = {}) {
  await admin.put('/dispatch/settings', { fallbackCallGroupId: 0, tellCalled: true, ...more });
  const telephone = (address: string) => ({ kind: 'Voice' as const, address });
  const userIds = [
    await addPerson(admin, 'Ada', {
      media: [telephone('+331'), { kind: 'Email', address: 'ada@plant.example' }],
    }),
    await addPerson(admin, 'Grace', {
      language: 'fr',
      media: [telephone('+332'), { kind: 'Sms', address: '+33612345678' }],
    }),
    await addPerson(admin, 'Edith', { media: [telephone('+333')] }),
  ];
  const id = await addGroup(admin, 'Night', { userIds, mode: 'Broadcast', ackTimeout: 600, attempts: 1 });
  const alarmActions = [{ type: 'CallGroup', id }];
  const raise = async (body: object = {}) =>
    (
      await admin.post('/alarms', { path: 'pump/3', alarmMessage: 'Pump 3 fails', alarmActions, ...body })
    ).json<number>();
  return { raise, userIds };
}

const by = (name: string, client: (role: 'operator', settings: object) => Client) =>
  client('operator', { name, userId: 50 });

test('those who were called are told who has taken the alarm, and when it is over', async ({
  client,
  world,
  work,
}) => {
  const { raise } = await nightShift(client('admin'));
  const id = await raise();
  await work();
  expect(
    world.sent
      .splice(0)
      .map(({ address }) => address)
      .toSorted(),
  ).toEqual(['+331', '+332', '+333']);
  await by('Mary', client).post(`/alarms/${id}/acknowledge`, {});
  await work();
  const told = () =>
    world.sent
      .splice(0)
      .map(({ address, text, answer }) => [address, text, answer])
      .toSorted((one, other) => String(one).localeCompare(String(other)));
  expect(told()).toEqual([
    ['+33612345678', 'Prise en charge par Mary: Pump 3 fails', undefined],
    ['ada@plant.example', 'Taken by Mary: Pump 3 fails', undefined],
  ]);
  await by('Mary', client).post(`/alarms/${id}/reset`, {});
  await work();
  expect(told()).toEqual([
    ['+33612345678', 'Terminée à 07:00: Pump 3 fails', undefined],
    ['ada@plant.example', 'Over at 07:00: Pump 3 fails', undefined],
  ]);
  await work();
  expect(world.sent).toEqual([]);
});

test('the person who has taken the alarm is not told so', async ({ client, world, work }) => {
  const { raise } = await nightShift(client('admin'));
  const id = await raise();
  await work();
  world.sent.splice(0);
  await by('Ada', client).post(`/alarms/${id}/acknowledge`, {});
  await work();
  expect(world.sent.map(({ address }) => address)).toEqual(['+33612345678']);
});

test('nobody is told of an alarm that was over before anybody was called', async ({
  client,
  world,
  work,
}) => {
  const { raise } = await nightShift(client('admin'));
  const id = await raise({ alarmDelay: 60 });
  await work();
  await client('admin').post(`/alarms/${id}/reset`, {});
  await work();
  expect(world.sent).toEqual([]);
});

test('by default nobody is told', async ({ client, world, work }) => {
  const { raise } = await nightShift(client('admin'), { tellCalled: false });
  const id = await raise();
  await work();
  world.sent.splice(0);
  await client('admin').post(`/alarms/${id}/acknowledge`, {});
  await client('admin').post(`/alarms/${id}/reset`, {});
  await work();
  expect(world.sent).toEqual([]);
});

test('a change of one setting keeps the others', async ({ client }) => {
  const admin = client('admin');
  const settings = {
    fallbackCallGroupId: 0,
    tellCalled: true,
    tagQuietSeconds: 60,
    confirmAddresses: true,
    reachability: { at: '09:30', everyDays: 7 },
    shiftReminderMinutes: 30,
  };
  await admin.put('/dispatch/settings', settings);
  await admin.put('/dispatch/settings', { fallbackCallGroupId: 0 });
  expect((await admin.get('/dispatch/settings')).json()).toEqual(settings);
});
