import { CallChange } from '@tocsin/contract';
import pg from 'pg';
import { Errors } from 'typebox/value';
import { expect } from 'vitest';
import { addUser, callerOf, type Listener, listen, settle, test } from '../testing/hub.fixture.ts';
import { addShift, openNightShift } from '../testing/phones.fixture.ts';

const kinds = ({ calls }: Listener) => calls.map(({ kind }) => kind);

test('a client that asks gets the changes of a call from the first ring until the acknowledgment', async ({
  site,
}) => {
  const { server, admin, ada, groupId, call } = await openNightShift(site);
  const listener = await listen(server, admin.token);
  await listener.subscribe({ calls: true });
  const alarmId = await call('boiler', { alarmMessage: 'Too hot', priority: 2 });
  await expect.poll(() => kinds(listener)).toEqual(['calling', 'accepted']);
  const attempt = { userId: ada, user: 'Ada', callGroupId: groupId, medium: 'Voice', status: 'Calling' };
  expect(listener.calls[1]).toMatchObject({
    kind: 'accepted',
    attempt: { ...attempt, address: '********0001' },
    call: { occasion: 'raised', alarmId, callId: 0, stationId: 1, priority: 2, message: 'Too hot' },
  });
  const { items } = await admin.get<{ items: { id: number }[] }>('/calls');
  // The escalation sets its next time a moment after a call was accepted.
  const whenever = { nextTime: expect.any(String) };
  expect({ ...listener.calls[1]?.call, ...whenever }, 'the same as in the list of calls in progress').toEqual(
    {
      ...items[0],
      ...whenever,
    },
  );

  await admin.post(`/alarms/${alarmId}/acknowledge`);
  await expect.poll(() => kinds(listener).toSorted()).toEqual(['accepted', 'calling', 'cancelled', 'closed']);
  const closed = listener.calls.find(({ kind }) => kind === 'closed');
  expect(closed).toMatchObject({ call: { id: items[0]?.id, alarmId, closedReason: 'acknowledged' } });
  expect(closed?.attempt).toBeUndefined();
  const cancelled = listener.calls.find(({ kind }) => kind === 'cancelled');
  expect(cancelled).toMatchObject({ attempt: { status: 'Cancelled', endTime: expect.any(String) } });
  for (const change of listener.calls) expect(Errors(CallChange, change)).toEqual([]);
});

test.for([
  ['busy', 'busy', 'Busy'],
  ['noAnswer', 'no-answer', 'NoAnswer'],
  ['refused', 'refused', 'Rejected'],
  ['failed', 'failed', 'Failed'],
  ['answered', 'answered', 'Delivered'],
  ['delivered', 'delivered', 'Delivered'],
] as const)('the outcome %s is pushed as %s', async ([says, kind, status], { site }) => {
  const { server, admin, phones, call } = await openNightShift(site);
  phones.says = says;
  const listener = await listen(server, admin.token);
  await listener.subscribe({ calls: true });
  await call('boiler');
  await expect.poll(() => kinds(listener).slice(0, 2)).toEqual(['calling', kind]);
  const { items } = await admin.get<{ items: { reason: string }[] }>('/call/histories?sort=%2Bid');
  expect(listener.calls[1]).toMatchObject({ attempt: { user: 'Ada', status, reason: items[0]?.reason } });
});

test('an acknowledged and a cancelled call are pushed', async ({ site }) => {
  const { server, admin, ada, call } = await openNightShift(site);
  const listener = await listen(server, admin.token);
  await listener.subscribe({ calls: true });
  await call('boiler');
  await expect.poll(() => kinds(listener)).toContain('accepted');
  const { call: first } = listener.calls[0] ?? {};
  await admin.post(`/calls/${first?.id}/cancel`, { reason: 'drill' });
  await expect
    .poll(() => listener.calls.find(({ kind }) => kind === 'closed'))
    .toMatchObject({ call: { id: first?.id, closedReason: 'cancelled' } });

  await admin.post('/call/users', { userIds: [ada], msgText: 'Come' });
  const requested = () => listener.calls.filter(({ call: { callId } }) => callId === 1);
  await expect.poll(() => requested().map(({ kind }) => kind)).toContain('accepted');
  expect(requested()[0]).toMatchObject({ call: { occasion: 'requested', alarmId: 0, message: 'Come' } });
  const [request] = requested();
  await admin.post(`/calls/${request?.call.id}/acknowledge`);
  await expect
    .poll(() => requested().find(({ kind }) => kind === 'closed'))
    .toMatchObject({ call: { closedReason: 'acknowledged' } });
});

test('calls and sounds are pushed only to clients that ask for them', async ({ site }) => {
  const { server, admin, call } = await openNightShift(site);
  const [plain, changes, sounds, calls] = await Promise.all([
    listen(server, admin.token),
    listen(server, admin.token),
    listen(server, admin.token),
    listen(server, admin.token),
  ]);
  await changes.resume(null);
  await sounds.subscribe({ sounds: true });
  await calls.subscribe({ calls: true });
  const siren = { type: 'PlaySound', parameter: 'siren.wav' };
  await call('boiler', { resetActions: [siren] });
  await admin.raise('boiler', { raised: false });
  await expect.poll(() => kinds(calls)).toContain('closed');
  await expect.poll(() => sounds.sounds.length).toBe(1);
  await settle();
  expect([...plain.calls, ...changes.calls, ...sounds.calls]).toEqual([]);
  expect([...plain.sounds, ...changes.sounds, ...calls.sounds]).toEqual([]);
  expect(plain.paths()).toEqual(['boiler']);
});

test('a user limited to stations gets no calls of other stations, nor requests without a station', async ({
  site,
}) => {
  const { server, admin, ada, callOther } = await openNightShift(site);
  const north = await admin.post<number>('/stations', { name: 'North' });
  const guard = await addUser(server, admin, { username: 'guard', stationIds: [north] });
  const [bound, narrowed, free] = await Promise.all([
    listen(server, guard.token),
    listen(server, admin.token),
    listen(server, admin.token),
  ]);
  await bound.subscribe({ calls: true });
  await narrowed.subscribe({ calls: true, stationId: north });
  await free.subscribe({ calls: true });
  await admin.post('/call/users', { userIds: [ada], msgText: 'Come' });
  await callOther('south');
  const alarmId = await callOther('north', { stationId: north });
  await expect.poll(() => kinds(free).filter((kind) => kind === 'accepted')).toHaveLength(3);
  await expect.poll(() => kinds(bound)).toEqual(['calling', 'accepted']);
  await expect.poll(() => kinds(narrowed)).toEqual(['calling', 'accepted']);
  for (const { call: seen } of [...bound.calls, ...narrowed.calls])
    expect(seen).toMatchObject({ alarmId, stationId: north });
  const { items } = await guard.get<{ items: { alarmId: number }[] }>('/calls');
  expect(
    items.map((item) => item.alarmId),
    'the same rule as for the list',
  ).toEqual([alarmId]);
});

test('no client gets calls of another tenant', async ({ site }) => {
  const { server, admin, phones, call } = await openNightShift(site);
  const brenner = await site.addTenant(server, 'Brenner Gas', 'brenner');
  const theirs = await addShift(brenner, phones, 'bea');
  const [own, other] = await Promise.all([listen(server, admin.token), listen(server, brenner.token)]);
  await own.subscribe({ calls: true, sounds: true });
  await other.subscribe({ calls: true, sounds: true });
  const ackActions = [{ type: 'PlaySound', parameter: 'thanks' }];
  await call('valmont', { alarmMessage: 'Valmont', ackActions });
  await theirs.call('brenner', { alarmMessage: 'Brenner' });
  await expect.poll(() => kinds(own)).toContain('accepted');
  await expect.poll(() => kinds(other)).toContain('accepted');
  await admin.post('/alarms/1/acknowledge');
  await expect.poll(() => own.sounds.length).toBe(1);
  await settle();
  expect(new Set(own.calls.map(({ call: { message } }) => message))).toEqual(new Set(['Valmont']));
  expect(new Set(other.calls.map(({ call: { message } }) => message))).toEqual(new Set(['Brenner']));
  expect(other.sounds).toEqual([]);
});

test('a key without the permission to read calls is refused those, and keeps its alarms', async ({
  server,
  admin,
}) => {
  const { key } = await admin.post<{ key: string }>('/apikeys', { name: 'Panel', role: 'machine' });
  const listener = await listen(server, key);
  await expect(listener.subscribe({ calls: true })).rejects.toThrow(/does not permit to read calls/);
  await listener.subscribe({ sounds: true });
  await callerOf(server.url, key).raise('boiler', {
    alarmActions: [{ type: 'PlaySound', parameter: 'siren.wav' }],
  });
  await expect.poll(() => listener.sounds.length).toBe(1);
  expect(listener.paths()).toEqual(['boiler']);
});

test('the option for calls outlives other filters until it is switched off', async ({ site }) => {
  const { server, admin, call, callOther } = await openNightShift(site);
  const listener = await listen(server, admin.token);
  // Shows when a push would have arrived.
  const witness = await listen(server, admin.token);
  await witness.subscribe({ calls: true });
  await Promise.all([listener.subscribe({ calls: true }), listener.subscribe({ search: 'boiler' })]);
  const first = await call('boiler');
  await expect.poll(() => kinds(listener)).toEqual(['calling', 'accepted']);
  await listener.connection.invoke('unsubscribe');
  await admin.post(`/alarms/${first}/acknowledge`);
  await expect.poll(() => kinds(witness)).toEqual(expect.arrayContaining(['closed', 'cancelled']));
  expect(kinds(listener), 'it has unsubscribed').toHaveLength(2);
  await listener.subscribe();
  await callOther('pump');
  await expect.poll(() => kinds(listener).slice(2)).toEqual(['calling', 'accepted']);
  await listener.subscribe({ calls: false });
  const pushed = kinds(witness).length;
  await callOther('fan');
  await expect.poll(() => kinds(witness).length).toBe(pushed + 2);
  expect(kinds(listener)).toHaveLength(4);
  await expect.poll(() => listener.paths().at(-1)).toBe('fan');
});

test('a client that reconnects reads the calls in progress, and gets the changes after that', async ({
  site,
}) => {
  const { server, admin, call, callOther } = await openNightShift(site);
  const before = await listen(server, admin.token);
  await before.subscribe({ calls: true });
  await call('boiler');
  await expect.poll(() => kinds(before)).toContain('accepted');
  await before.connection.stop();
  // Shows when the changes that the client misses are over.
  const witness = await listen(server, admin.token);
  await witness.subscribe({ calls: true });
  const missed = await callOther('pump');
  await expect.poll(() => kinds(witness)).toEqual(['calling', 'accepted']);

  const again = await listen(server, admin.token);
  await again.subscribe({ calls: true });
  const { items } = await admin.get<{ items: { alarmId: number }[] }>('/calls?sort=-id');
  expect(items[0]).toMatchObject({ alarmId: missed, attempts: [{ user: 'Bea 1', status: 'Calling' }] });
  await settle();
  expect(again.calls, 'nothing is replayed').toEqual([]);
  await admin.post(`/alarms/${missed}/acknowledge`);
  await expect
    .poll(() => again.calls.find(({ kind }) => kind === 'closed'))
    .toMatchObject({ call: { alarmId: missed } });
});

test('another server pushes the calls within two seconds, without NATS', async ({ site }) => {
  const { admin, call } = await openNightShift(site);
  const other = await site.start({ roles: ['hub'] });
  const listener = await listen(other, admin.token);
  await listener.subscribe({ calls: true, sounds: true });
  const siren = { type: 'PlaySound', parameter: 'siren.wav' };
  const alarmId = await call('boiler', { ackActions: [siren] });
  await expect.poll(() => kinds(listener), { timeout: 2_000 }).toEqual(['calling', 'accepted']);
  await admin.post(`/alarms/${alarmId}/acknowledge`);
  await expect.poll(() => kinds(listener), { timeout: 2_000 }).toContain('closed');
  await expect.poll(() => listener.sounds, { timeout: 2_000 }).toHaveLength(1);
});

test('call events of a slow transaction are pushed when it commits, although later ones were pushed before', async ({
  site,
}) => {
  const { server, admin, call, callOther } = await openNightShift(site);
  const listener = await listen(server, admin.token);
  await listener.subscribe({ calls: true });
  await call('boiler');
  await expect.poll(() => kinds(listener)).toEqual(['calling', 'accepted']);
  const escalationId = listener.calls[0]?.call.id;
  const slow = new pg.Client({ connectionString: site.databaseUrl });
  await slow.connect();
  await slow.query("select set_config('tocsin.tenant', '1', false)");
  await slow.query('begin');
  const insert =
    "insert into call_events (tenant_id, at, kind, escalation_id) values (1, now(), 'closed', $1)";
  await slow.query(insert, [escalationId]);
  const second = await callOther('pump');
  await expect.poll(() => kinds(listener)).toEqual(['calling', 'accepted', 'calling', 'accepted']);
  await slow.query('commit');
  await slow.end();
  await expect
    .poll(() => listener.calls.at(-1))
    .toMatchObject({ kind: 'closed', call: { id: escalationId } });
  await admin.post(`/alarms/${second}/acknowledge`);
  const each = ['accepted', 'accepted', 'calling', 'calling', 'cancelled', 'closed', 'closed'];
  await expect.poll(() => kinds(listener).toSorted()).toEqual(each);
  await settle();
  expect(kinds(listener), 'each once').toHaveLength(each.length);
});

test('the changes of a hundred simultaneous calls are all pushed, each call in its order', async ({
  site,
}) => {
  const { server, admin, call } = await openNightShift(site);
  const listener = await listen(server, admin.token);
  await listener.subscribe({ calls: true });
  const alarmIds = await Promise.all(
    Array.from({ length: 100 }, (_, number) => call(`pump/${number}`, { priority: 2 })),
  );
  for (const alarmId of alarmIds) await admin.post(`/alarms/${alarmId}/acknowledge`);
  const closed = () => listener.calls.filter(({ kind }) => kind === 'closed').length;
  await expect.poll(closed, { timeout: 20_000 }).toBe(100);
  await settle();
  for (const alarmId of alarmIds) {
    const own = listener.calls.filter(({ call: one }) => one.alarmId === alarmId);
    const attempts = own.filter(({ attempt }) => attempt).map(({ kind }) => kind);
    const expected = ['calling', 'accepted', 'cancelled'];
    expect(expected.slice(0, attempts.length), `alarm ${alarmId}`).toEqual(attempts);
  }
});
