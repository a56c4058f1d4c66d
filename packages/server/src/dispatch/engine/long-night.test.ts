import type { CallGroupBody } from '@tocsin/contract';
import { expect } from 'vitest';
import { addGroup, addPerson } from '../../calls/testing/people.fixture.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import type { Client } from '../../testing/app.fixture.ts';
import { escalationsOf, test, voice } from '../testing/dispatch.fixture.ts';
import { deliverDue } from './deliver-due.ts';
import { escalateDue } from './escalate-due.ts';
import { sendOutbound } from './send-outbound.ts';

const busy = () => ({ kind: 'busy', reference: '' }) as const;

/** The first has the number +331, the second +332, and so on. */
async function hire(admin: Client, names: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const [index, name] of names.entries())
    ids.push(await addPerson(admin, name, voice(`+33${index + 1}`)));
  return ids;
}

/** Creates these people and a call group of them. */
async function nightGroup(
  admin: Client,
  names: readonly string[],
  body: Partial<CallGroupBody> = {},
): Promise<number> {
  return addGroup(admin, 'Night', { userIds: await hire(admin, names), ...body });
}

function raise(admin: Client, callGroupId: number, body: object = {}) {
  return admin.post('/alarms', { alarmActions: [{ type: 'CallGroup', id: callGroupId }], ...body });
}

test('when all were called in vain, the escalation begins again, all night', async ({
  client,
  clock,
  world,
  work,
}) => {
  const admin = client('admin');
  const groupId = await nightGroup(admin, ['Ada', 'Grace']);
  world.answer = busy;
  await raise(admin, groupId);
  for (let minute = 0; minute < 120; minute++) {
    await work();
    clock.advance(60);
  }
  // Each pass, once a minute, makes a call, and both people are called.
  expect(world.sent.length).toBeGreaterThanOrEqual(119);
  expect(new Set(world.sent.map(({ address }) => address))).toEqual(new Set(['+331', '+332']));
});

test('after eight hours under a mask the escalation begins with the first person again', async ({
  client,
  clock,
  world,
  work,
}) => {
  const admin = client('admin');
  const groupId = await nightGroup(admin, ['Ada', 'Grace']);
  const id = (await raise(admin, groupId)).json<number>();
  await work();
  await admin.post(`/alarms/${id}/mask`, { reason: 'welding' });
  clock.advance(7 * 3_600);
  await work();
  expect(world.sent).toHaveLength(1);
  clock.advance(3_600);
  await admin.post(`/alarms/${id}/unmask`, { reason: 'done' });
  await work();
  expect(world.sent.at(-1)?.address).toBe('+331');
});

test('somebody is on duty in the hour that the clocks are put forward', async ({
  client,
  clock,
  world,
  work,
}) => {
  const admin = client('admin');
  const [ada = 0, grace = 0] = await hire(admin, ['Ada', 'Grace']);
  const teams = [ada, grace].map((id, index) => ({ id: index + 1, name: `Team ${index}`, userIds: [id] }));
  const slots = [
    { teamId: 1, day: 7, start: '00:00', end: '02:30' },
    { teamId: 2, day: 7, start: '02:30', end: '12:00' },
  ];
  const roster = { slotMinutes: 30 as const, slots };
  const groupId = await addGroup(admin, 'Night', { teams, roster });
  // In Paris the clocks went from 02:00 to 03:00 that night: there was no half past two.
  clock.set('2026-03-29T00:59:30Z');
  await raise(admin, groupId, { path: 'before' });
  await work();
  clock.set('2026-03-29T01:01:00Z');
  await raise(admin, groupId, { path: 'after' });
  await work();
  expect(world.sent.length).toBeGreaterThanOrEqual(2);
  expect(world.sent[0]?.address).toBe('+331');
});

test('of fifty waiting alarms the urgent one is sent first', async ({ client, world, dispatch }) => {
  const admin = client('admin');
  const people = await hire(
    admin,
    Array.from({ length: 10 }, (_, index) => `Person ${index}`),
  );
  const groups: number[] = [];
  for (const id of people) groups.push(await addGroup(admin, `Group ${id}`, { userIds: [id] }));
  for (let number = 0; number < 50; number++)
    await raise(admin, groups[number % 10] ?? 0, { path: `pump/${number}`, priority: 3 });
  await raise(admin, groups[3] ?? 0, { path: 'man/down', priority: 1, alarmMessage: 'Man down' });
  await escalateDue(dispatch.runtime, dispatch.configuration, 10);
  for (const one of await deliverDue(dispatch, 10)) await sendOutbound(dispatch, one);
  expect(world.sent[0]?.text).toContain('Man down');
});

test('one call covers a flood and is hung up only after its last alarm was acknowledged', async ({
  client,
  world,
  work,
}) => {
  const admin = client('admin');
  const groupId = await nightGroup(admin, ['Ada'], { ackTimeout: 600 });
  const ids: number[] = [];
  for (let number = 0; number < 14; number++)
    ids.push((await raise(admin, groupId, { path: `pump/${number}`, priority: 3 })).json<number>());
  await work();
  expect(world.sent).toMatchObject([{ alarmCount: 14 }]);
  for (const id of ids.slice(0, 13)) await admin.post(`/alarms/${id}/acknowledge`, {});
  await work();
  expect(world.hungUp).toEqual([]);
  await admin.post(`/alarms/${ids[13]}/acknowledge`, {});
  await work();
  expect(world.hungUp).toEqual([world.sent[0]?.attemptId]);
});

test('an escalation that cannot be read does not affect others', async ({ runtime, client, world, work }) => {
  const admin = client('admin');
  const groupId = await nightGroup(admin, ['Ada'], { ackTimeout: 600 });
  await raise(admin, groupId, { path: 'poison' });
  await inTenant(runtime.database, 1, (transaction) =>
    transaction.updateTable('escalations').set({ plan: '{"format":1}' }).execute(),
  );
  await raise(admin, groupId, { path: 'pump/1', alarmMessage: 'Pump 1 leaks' });
  await work();
  expect(world.sent.map(({ text }) => text)).toEqual(['Pump 1 leaks']);
});

test('a dispatcher that was suspended does not send attempts that another may have claimed', async ({
  client,
  world,
  dispatch,
}) => {
  const admin = client('admin');
  const groupId = await nightGroup(admin, ['Ada']);
  await raise(admin, groupId);
  await escalateDue(dispatch.runtime, dispatch.configuration, 10);
  const [outbound] = await deliverDue(dispatch, 10);
  if (!outbound) throw new Error('nothing was claimed');
  await sendOutbound(dispatch, { ...outbound, claimedMs: performance.now() - 12_000 });
  expect(world.sent).toEqual([]);
});

test('a call that was being sent during the acknowledgment is marked as a race and hung up', async ({
  runtime,
  client,
  world,
  dispatch,
  work,
}) => {
  const admin = client('admin');
  const groupId = await nightGroup(admin, ['Ada']);
  const id = (await raise(admin, groupId)).json<number>();
  await escalateDue(dispatch.runtime, dispatch.configuration, 10);
  const outbound = await deliverDue(dispatch, 10);
  await admin.post(`/alarms/${id}/acknowledge`, {});
  for (const one of outbound) await sendOutbound(dispatch, one);
  await work();
  expect(world.hungUp).toEqual(world.sent.map(({ attemptId }) => attemptId));
  const rows = await inTenant(runtime.database, 1, (transaction) =>
    transaction.selectFrom('callAttempts').select(['lateRace', 'outcome']).execute(),
  );
  expect(rows).toEqual([{ lateRace: true, outcome: 'cancelled' }]);
  expect(await escalationsOf(runtime)).toEqual([{ occasion: 'raised', closedReason: 'acknowledged' }]);
});

test('an attempt that is queued while somebody acknowledges is withdrawn with the others', async ({
  runtime,
  client,
  dispatch,
  world,
  work,
}) => {
  const admin = client('admin');
  const groupId = await nightGroup(admin, ['Ada', 'Grace'], { mode: 'Broadcast' });
  for (let round = 0; round < 20; round++) {
    const id = (await raise(admin, groupId, { path: `pump/${round}` })).json<number>();
    await Promise.all([
      escalateDue(dispatch.runtime, dispatch.configuration, 10),
      admin.post(`/alarms/${id}/acknowledge`, {}),
    ]);
  }
  await work();
  const left = await inTenant(runtime.database, 1, (transaction) =>
    transaction.selectFrom('callAttempts').select('outcome').where('endedAt', 'is', null).execute(),
  );
  expect(left).toEqual([]);
  expect(world.sent).toEqual([]);
});
