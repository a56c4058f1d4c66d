import { expect } from 'vitest';
import { addGroup, addPerson } from '../../calls/testing/people.fixture.ts';
import type { Client } from '../../testing/app.fixture.ts';
import { test } from '../testing/dispatch.fixture.ts';

/** Anna reads French texts and Bob English mails about the pumps of the north. */
async function openNorth(admin: Client) {
  const stationId = (
    await admin.post('/stations', { name: 'North', timeZone: 'Europe/Paris' })
  ).json<number>();
  const anna = await addPerson(admin, 'Anna', {
    language: 'fr-CH',
    media: [{ kind: 'Sms', address: '+33612345678' }],
  });
  const bob = await addPerson(admin, 'Bob', { media: [{ kind: 'Email', address: 'bob@plant.example' }] });
  const id = await addGroup(admin, 'Guards', { userIds: [anna, bob], mode: 'Broadcast', ackTimeout: 600 });
  const actions = [{ type: 'CallGroup', id }];
  const raise = async (body: object = {}) =>
    (
      await admin.post('/alarms', {
        path: 'Hall/Pump 3',
        stationId,
        priority: 2,
        value: '12 bar',
        alarmMessage: 'Pump 3 fails',
        resetMessage: 'Pump 3 runs',
        alarmActions: actions,
        resetActions: actions,
        ...body,
      })
    ).json<number>();
  return { raise, anna, bob };
}

test('without a template the message is sent as it is', async ({ client, world, work }) => {
  const { raise } = await openNorth(client('admin'));
  await raise();
  await work();
  expect(world.sent.map(({ subject, text }) => [subject, text])).toEqual([
    ['Pump 3 fails', 'Pump 3 fails'],
    ['Pump 3 fails', 'Pump 3 fails'],
  ]);
});

test('each person gets the template of their medium and language', async ({ client, world, work }) => {
  const admin = client('admin');
  const { raise } = await openNorth(admin);
  await admin.put('/message-templates/Sms/fr', {
    body: '{person}: P{priority} {station}, {message} ({value})',
  });
  await admin.put('/message-templates/Sms/en', { body: 'not for Anna' });
  await admin.put('/message-templates/Voice/en', { body: 'not for Bob' });
  await admin.put('/message-templates/Email/en', {
    subject: '[{station}] {name}',
    body: 'Dear {person},\n{message} since {time} at {path} on {dataServer}.',
  });
  await raise();
  await work();
  const to = (address: string) => world.sent.find((message) => message.address === address);
  expect(to('+33612345678')).toMatchObject({ text: 'Anna: P2 North, Pump 3 fails (12 bar)' });
  expect(to('bob@plant.example')).toMatchObject({
    subject: '[North] Hall/Pump 3',
    text: expect.stringMatching(
      /^Dear Bob,\nPump 3 fails since 2026-03-01 07:00:00 at Hall\/Pump 3 on \S.*\.$/,
    ) as string,
  });
});

test('a template knows the station in the format of the alarm, too', async ({ client, world, work }) => {
  const { raise } = await openNorth(client('admin'));
  await raise({ alarmFormat: '{station}: {message}' });
  await work();
  expect(world.sent[0]?.text).toBe('North: Pump 3 fails');
});

test('text of the plant that looks like a placeholder stays text', async ({ client, world, work }) => {
  const admin = client('admin');
  const { raise } = await openNorth(admin);
  await admin.put('/message-templates/Sms/fr', { body: '{message}' });
  await raise({ alarmMessage: '{person} {station} {{name}}', value: '{message}' });
  await work();
  expect(world.sent.find(({ address }) => address === '+33612345678')?.text).toBe(
    '{person} {station} {{name}}',
  );
});

test('a template that gives an empty text sends the message itself', async ({ client, world, work }) => {
  const admin = client('admin');
  const { raise } = await openNorth(admin);
  await admin.put('/message-templates/Sms/fr', { body: ' {shortMessage} ' });
  await raise();
  await work();
  expect(world.sent.find(({ address }) => address === '+33612345678')?.text).toBe('Pump 3 fails');
});

test('the message that an alarm is over, and a call by hand, have no template', async ({
  client,
  world,
  work,
}) => {
  const admin = client('admin');
  const { raise, anna } = await openNorth(admin);
  const settings = { url: 'http://127.0.0.1:1' };
  await admin.post('/channels', { name: 'Texts', kind: 'simulated', medium: 'Sms', settings });
  await admin.put('/message-templates/Sms/fr', { body: 'Danger: {message}' });
  const id = await raise();
  await work();
  await admin.post(`/alarms/${id}/reset`, {});
  await work();
  await admin.post('/call/users', { userIds: [anna], msgText: 'Come' });
  await work();
  const texts = world.sent.filter(({ address }) => address === '+33612345678').map(({ text }) => text);
  expect(texts).toEqual(['Danger: Pump 3 fails', 'Pump 3 runs', 'Come']);
});
