import { expect } from 'vitest';
import { createAlarmWriter } from '../../alarms/write/alarm-writer.ts';
import { addGroup, addPerson } from '../../calls/testing/people.fixture.ts';
import { escalateDue } from '../engine/escalate-due.ts';
import { test } from '../testing/dispatch.fixture.ts';
import { workOff } from '../testing/simulated-dispatch.fixture.ts';
import { systemAlarms } from '../testing/system-alarms.fixture.ts';
import { createAuditor } from './audit-escalations.ts';

test('several auditors raise one alarm about overdue calls, and any of them resets it', async ({
  runtime,
  client,
  clock,
  work,
}) => {
  const auditors = [1, 2].map(() => createAuditor(runtime, createAlarmWriter(runtime)));
  const audit = async () => {
    for (const { run } of auditors) await run();
  };
  const admin = client('admin');
  const groupId = await addGroup(admin, 'Night', { userIds: [await addPerson(admin, 'Ada')] });
  await admin.post('/alarms', { path: 'pump', alarmActions: [{ type: 'CallGroup', id: groupId }] });
  clock.advance(59);
  await audit();
  expect(await systemAlarms(runtime)).toEqual([]);
  clock.advance(2);
  await audit();
  const { items } = (await admin.get('/alarms?search=overdue')).json<{ items: { id: number }[] }>();
  await admin.post(`/alarms/${items[0]?.id}/acknowledge`, {});
  await audit();
  expect(await systemAlarms(runtime)).toMatchObject([{ state: 1, occurrences: 1, repeats: 0 }]);
  expect(auditors[1]?.overdue()).toBe(1);

  await work();
  await createAuditor(runtime, createAlarmWriter(runtime)).run();
  expect(await systemAlarms(runtime)).toMatchObject([{ path: 'tocsin/dispatch/overdue', state: 0 }]);
});

test('calls that wait in the queue or are not accepted raise an alarm after a minute', async ({
  runtime,
  client,
  clock,
  world,
  dispatch,
}) => {
  const admin = client('admin');
  const auditor = createAuditor(runtime, createAlarmWriter(runtime));
  const groupId = await addGroup(admin, 'Night', { userIds: [await addPerson(admin, 'Ada')] });
  await admin.post('/alarms', { path: 'pump', alarmActions: [{ type: 'CallGroup', id: groupId }] });
  await escalateDue(runtime, dispatch.configuration, 10);
  clock.advance(61);
  await escalateDue(runtime, dispatch.configuration, 10);
  await auditor.run();
  expect(auditor.overdue()).toBe(1);
  expect(await systemAlarms(runtime)).toMatchObject([{ path: 'tocsin/dispatch/queued', state: 3 }]);

  world.answer = () => ({ kind: 'failed', permanent: false, blame: 'channel', reason: 'HTTP 500' });
  await workOff(dispatch);
  await auditor.run();
  // That the provider fails is not the fault of the dispatchers.
  expect(auditor.overdue()).toBe(0);
  expect(await systemAlarms(runtime)).toMatchObject([
    { path: 'tocsin/dispatch/queued', state: 2 },
    { path: 'tocsin/dispatch/unaccepted', state: 3 },
  ]);
  world.answer = ({ attemptId }) => ({ kind: 'accepted', reference: attemptId });
  clock.advance(30);
  await workOff(dispatch);
  await auditor.run();
  expect(await systemAlarms(runtime)).toMatchObject([{ state: 2 }, { state: 2 }]);
});
