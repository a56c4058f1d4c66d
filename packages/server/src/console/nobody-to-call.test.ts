import type { AlarmContext } from '@tocsin/contract';
import { expect } from 'vitest';
import { addGroup } from '../calls/testing/people.fixture.ts';
import { test } from '../dispatch/testing/dispatch.fixture.ts';
import type { Client } from '../testing/app.fixture.ts';

const contextOf = async (client: Client, id: number) =>
  (await client.get(`/alarms/contexts?ids=${id}`)).json<{ items: AlarmContext[] }>().items[0];

test('the context of an alarm says that nobody can be called for it', async ({ client, work }) => {
  const admin = client('admin');
  const groupId = await addGroup(admin, 'Empty');
  await admin.post('/alarms', { path: 'boiler', alarmActions: [{ type: 'CallGroup', id: groupId }] });
  await admin.post('/alarms', { path: 'lamp' });
  expect(await contextOf(admin, 1), 'nobody has looked yet').not.toHaveProperty('nobodyToCall');
  await work();
  expect(await contextOf(admin, 1)).toMatchObject({ nobodyToCall: true });
  expect(await contextOf(admin, 2), 'it calls nobody by itself').not.toHaveProperty('nobodyToCall');
  await admin.post('/alarms/1/acknowledge', {});
  await work();
  expect(await contextOf(admin, 1), 'somebody has taken it').not.toHaveProperty('nobodyToCall');
});

test('an alarm for which somebody is called does not say so', async ({ client, technicians, work }) => {
  await technicians.raise();
  await work();
  expect(await contextOf(client('viewer'), 1)).not.toHaveProperty('nobodyToCall');
});
