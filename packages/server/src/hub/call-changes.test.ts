import { CallChange } from '@tocsin/contract';
import pg from 'pg';
import { Errors } from 'typebox/value';
import { expect } from 'vitest';
import { callerOf, hire, type Listener, listen, settle, test } from './hub.fixture.ts';
import { hireShift, openNightShift } from './phones.fixture.ts';

const kinds = ({ calls }: Listener) => calls.map(({ kind }) => kind);

test('who asks hears of a call from the first ring until the alarm is taken', async ({ site }) => {
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
  // The escalation decides when it looks again a moment after a call was accepted.
  const whenever = { nextTime: expect.any(String) };
  expect({ ...listener.calls[1]?.call, ...whenever }, 'as the calls in progress tell it').toEqual({
    ...items[0],
    ...whenever,
  });

  await admin.post(`/alarms/${alarmId}/acknowledge`);
  await expect.poll(() => kinds(listener).toSorted()).toEqual(['accepted', 'calling', 'cancelled', 'closed']);
  const closed = listener.calls.find(({ kind }) => kind === 'closed');
  expect(closed).toMatchObject({ call: { id: items[0]?.id, alarmId, closedReason: 'acknowledged' } });
  expect(closed?.attempt).toBeUndefined();
  const cancelled = listener.calls.find(({ kind }) => kind === 'cancelled');
  expect(cancelled).toMatchObject({ attempt: { status: 'Cancelled', endTime: expect.any(String) } });
  for (const told of listener.calls) expect(Errors(CallChange, told)).toEqual([]);
});

test.for([
  ['busy', 'busy', 'Busy'],
  ['noAnswer', 'no-answer', 'NoAnswer'],
  ['refused', 'refused', 'Rejected'],
  ['failed', 'failed', 'Failed'],
  ['answered', 'answered', 'Delivered'],
  ['delivered', 'delivered', 'Delivered'],
] as const)('a telephone that is %s is told as %s', async ([says, kind, status], { site }) => {
  const { server, admin, phones, call } = await openNightShift(site);
  phones.says = says;
  const listener = await listen(server, admin.token);
  await listener.subscribe({ calls: true });
  await call('boiler');
  await expect.poll(() => kinds(listener).slice(0, 2)).toEqual(['calling', kind]);
  expect(listener.calls[1]).toMatchObject({ attempt: { user: 'Ada', status } });
});

test('a person who takes the alarm, and one who cancels the calling, are told of', async ({ site }) => {
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

test('nobody is told of calls or sounds without asking, however much else was asked for', async ({
  site,
}) => {
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

test('nobody hears of calls of other stations, nor of requests that belong to none of theirs', async ({
  site,
}) => {
  const { server, admin, ada, call } = await openNightShift(site);
  const north = await admin.post<number>('/stations', { name: 'North' });
  const guard = await hire(server, admin, { username: 'guard', stationIds: [north] });
  const [bound, narrowed, free] = await Promise.all([
    listen(server, guard.token),
    listen(server, admin.token),
    listen(server, admin.token),
  ]);
  await bound.subscribe({ calls: true });
  await narrowed.subscribe({ calls: true, stationId: north });
  await free.subscribe({ calls: true });
  await admin.post('/call/users', { userIds: [ada], msgText: 'Come' });
  await call('south');
  const alarmId = await call('north', { stationId: north });
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

test('nobody hears of calls of another tenant', async ({ site }) => {
  const { server, admin, phones, call } = await openNightShift(site);
  const brenner = await site.addTenant(server, 'Brenner Gas', 'brenner');
  const theirs = await hireShift(brenner, phones, 'bea');
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

test('a key that may read alarms and no calls is refused those, and loses nothing by asking', async ({
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

test('a wish for calls outlives other filters, and ends when it is taken back', async ({ site }) => {
  const { server, admin, call } = await openNightShift(site);
  const listener = await listen(server, admin.token);
  // Whoever has heard it says when the others would have.
  const witness = await listen(server, admin.token);
  await witness.subscribe({ calls: true });
  await Promise.all([listener.subscribe({ calls: true }), listener.subscribe({ search: 'boiler' })]);
  const first = await call('boiler');
  await expect.poll(() => kinds(listener)).toEqual(['calling', 'accepted']);
  await listener.connection.invoke('unsubscribe');
  await admin.post(`/alarms/${first}/acknowledge`);
  await expect.poll(() => kinds(witness)).toEqual(expect.arrayContaining(['closed', 'cancelled']));
  expect(kinds(listener), 'silence was asked for').toHaveLength(2);
  await listener.subscribe();
  await call('pump');
  await expect.poll(() => kinds(listener).slice(2)).toEqual(['calling', 'accepted']);
  await listener.subscribe({ calls: false });
  const told = kinds(witness).length;
  await call('fan');
  await expect.poll(() => kinds(witness).length).toBe(told + 2);
  expect(kinds(listener)).toHaveLength(4);
  await expect.poll(() => listener.paths().at(-1)).toBe('fan');
});

test('who comes back reads the calls in progress, and is told what happens after', async ({ site }) => {
  const { server, admin, call } = await openNightShift(site);
  const before = await listen(server, admin.token);
  await before.subscribe({ calls: true });
  await call('boiler');
  await expect.poll(() => kinds(before)).toContain('accepted');
  await before.connection.stop();
  const missed = await call('pump');
  await expect
    .poll(async () => (await admin.get<{ items: { attempts: object[] }[] }>('/calls')).items[0]?.attempts)
    .toHaveLength(1);
  await settle();

  const again = await listen(server, admin.token);
  await again.subscribe({ calls: true });
  const { items } = await admin.get<{ items: { alarmId: number }[] }>('/calls?sort=-id');
  expect(items[0]).toMatchObject({ alarmId: missed, attempts: [{ user: 'Ada', status: 'Calling' }] });
  await settle();
  expect(again.calls, 'nothing is replayed').toEqual([]);
  await admin.post(`/alarms/${missed}/acknowledge`);
  await expect
    .poll(() => again.calls.find(({ kind }) => kind === 'closed'))
    .toMatchObject({ call: { alarmId: missed } });
});

test('another server tells of the calls within two seconds, without NATS', async ({ site }) => {
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

test('what a slow transaction wrote is told when it commits, although others were told before', async ({
  site,
}) => {
  const { server, admin, call } = await openNightShift(site);
  const listener = await listen(server, admin.token);
  await listener.subscribe({ calls: true });
  await call('boiler');
  await expect.poll(() => kinds(listener)).toEqual(['calling', 'accepted']);
  const dutyId = listener.calls[0]?.call.id;
  const slow = new pg.Client({ connectionString: site.databaseUrl });
  await slow.connect();
  await slow.query("select set_config('tocsin.tenant', '1', false)");
  await slow.query('begin');
  const tell = "insert into tidings (tenant_id, at, kind, duty_id) values (1, now(), 'closed', $1)";
  await slow.query(tell, [dutyId]);
  const second = await call('pump');
  await expect.poll(() => kinds(listener)).toEqual(['calling', 'accepted', 'calling', 'accepted']);
  await slow.query('commit');
  await slow.end();
  await expect.poll(() => listener.calls.at(-1)).toMatchObject({ kind: 'closed', call: { id: dutyId } });
  await admin.post(`/alarms/${second}/acknowledge`);
  const each = ['accepted', 'accepted', 'calling', 'calling', 'cancelled', 'closed', 'closed'];
  await expect.poll(() => kinds(listener).toSorted()).toEqual(each);
  await settle();
  expect(kinds(listener), 'each once').toHaveLength(each.length);
});

test('a hundred calls at once are all told, in the order of each', async ({ site }) => {
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
