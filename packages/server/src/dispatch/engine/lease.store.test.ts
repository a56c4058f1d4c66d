import { expect } from 'vitest';
import { addGroup, addPerson } from '../../calls/testing/people.fixture.ts';
import { outsideTenants } from '../../postgres/tenant-transaction.ts';
import { test } from '../testing/dispatch.fixture.ts';
import { deliverDue } from './deliver-due.ts';
import { escalateDue } from './escalate-due.ts';
import { findRoutes } from './find-routes.ts';
import { claimAttempts, claimEscalations } from './lease.store.ts';

test('two dispatchers claim different escalations and different attempts', async ({
  client,
  runtime,
  dispatch,
}) => {
  const admin = client('admin');
  const ada = await addPerson(admin, 'Ada', { media: [{ kind: 'Voice', address: '+331' }] });
  const groupId = await addGroup(admin, 'Technicians', { userIds: [ada] });
  const alarmActions = [{ type: 'CallGroup', id: groupId }];
  for (const path of ['boiler/1', 'boiler/2', 'boiler/3', 'boiler/4', 'boiler/5', 'boiler/6'])
    await admin.post('/alarms', { path, alarmMessage: 'Too hot', alarmActions });
  const { database } = runtime;

  const escalations = await outsideTenants(database, async (first) => {
    const mine = await claimEscalations(first, 1);
    const theirs = await outsideTenants(database, (second) => claimEscalations(second, 1));
    return [...mine, ...theirs].map(({ id }) => id);
  });
  expect(new Set(escalations).size).toBe(2);

  await escalateDue(runtime, dispatch.configuration, 10, (transaction) => findRoutes(dispatch, transaction));
  const attempts = await outsideTenants(database, async (first) => {
    const mine = await claimAttempts(first, 1, dispatch.slots);
    const theirs = await outsideTenants(database, (second) => claimAttempts(second, 1, dispatch.slots));
    return [...mine, ...theirs].map(({ id }) => id);
  });
  expect(new Set(attempts).size).toBe(2);
});

test('nobody is called for a masked alarm, even if the dispatcher of its escalation died', async ({
  client,
  runtime,
  dispatch,
  clock,
  work,
  world,
}) => {
  const admin = client('admin');
  const ada = await addPerson(admin, 'Ada', { media: [{ kind: 'Voice', address: '+331' }] });
  const alarmActions = [{ type: 'CallGroup', id: await addGroup(admin, 'Technicians', { userIds: [ada] }) }];
  const raised = await admin.post('/alarms', { path: 'boiler/1', alarmMessage: 'Too hot', alarmActions });
  await escalateDue(runtime, dispatch.configuration, 10, (transaction) => findRoutes(dispatch, transaction));
  await outsideTenants(runtime.database, (dead) => claimEscalations(dead, 1));
  await admin.post(`/alarms/${raised.json<number>()}/mask`, { reason: 'work', duration: 3_600 });
  expect(await deliverDue(dispatch, 10)).toEqual([]);
  clock.advance(11);
  await work();
  expect(world.sent).toEqual([]);
  await admin.post(`/alarms/${raised.json<number>()}/unmask`, { reason: 'done' });
  await work();
  expect(world.sent).toHaveLength(1);
});
