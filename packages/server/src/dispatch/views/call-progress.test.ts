import { expect } from 'vitest';
import { addPerson, addPhones } from '../../calls/testing/people.fixture.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import type { Client } from '../../testing/app.fixture.ts';
import { nightShift, sentOf, test } from '../testing/answer.fixture.ts';
import { escalationsOf } from '../testing/dispatch.fixture.ts';

async function newestCall(admin: Client): Promise<number> {
  return (await admin.get('/calls')).json().items[0].id;
}

test('the calls in progress show their alarm and their running attempts', async ({ client, work }) => {
  const admin = client('admin');
  const { raise, ada, groupId } = await nightShift(admin);
  const id = await raise();
  await addPhones(admin);
  await admin.post('/call/users', { userIds: [await addPerson(admin, 'Kay')], msgText: 'Come' });
  await work();
  const { items, paging } = (await client('viewer').get('/calls')).json();
  expect(paging.total).toBe(2);
  expect(items).toMatchObject([
    { occasion: 'requested', alarmId: 0, callId: 1, message: 'Come', attempts: [{ user: 'Kay' }] },
    {
      occasion: 'raised',
      alarmId: id,
      callId: 0,
      stationId: 1,
      message: 'boiler/1 overheats',
      startTime: '2026-03-01T07:00:00+01:00',
      attempts: [
        {
          userId: ada,
          user: 'Ada',
          callGroupId: groupId,
          medium: 'Voice',
          address: '********0001',
          status: 'Calling',
        },
      ],
    },
  ]);
  const one = (await client('viewer').get(`/calls/${items[1].id}`)).json();
  expect(one).toEqual(items[1]);
  expect((await client('viewer').get('/calls/999')).statusCode).toBe(404);
});

test('cancelling a call ends it, hangs up and is recorded', async ({
  night,
  runtime,
  client,
  clock,
  world,
  work,
}) => {
  const { admin, id } = night;
  const escalation = await newestCall(admin);
  expect((await client('viewer').post(`/calls/${escalation}/cancel`, { reason: 'drill' })).statusCode).toBe(
    403,
  );
  const answer = await client('operator', { name: 'Olga' }).post(`/calls/${escalation}/cancel`, {
    reason: 'drill',
  });
  expect(answer.json()).toMatchObject({ id: escalation, closedReason: 'cancelled' });
  expect(await escalationsOf(runtime)).toEqual([{ occasion: 'raised', closedReason: 'cancelled' }]);
  expect((await admin.get('/calls')).json().items).toEqual([]);
  await work();
  expect(world.hungUp).toEqual([world.sent[0]?.attemptId]);
  clock.advance(3_600);
  await work();
  expect(world.sent).toHaveLength(1);

  const { items } = (await admin.get(`/alarms/${id}/timeline`)).json();
  const notice = { kind: 'call-noticed', actor: 'Olga', detail: 'drill', notice: { kind: 'cancelled' } };
  expect(items.slice(-2)).toMatchObject([notice, { kind: 'calls-ended', detail: 'cancelled' }]);
  await client('operator', { name: 'Ivan' }).post(`/calls/${escalation}/cancel`, { reason: 'me too' });
  expect((await admin.get(`/alarms/${id}/timeline`)).json().paging.total).toBe(items.length);
});

test('silencing an alarm needs a reason, which is in the journal, and a repeat calls again', async ({
  night,
  client,
  clock,
  world,
  work,
}) => {
  const { admin, id } = night;
  const olga = client('operator', { name: 'Olga' });
  const escalation = await newestCall(admin);
  for (const body of [{}, { reason: '' }])
    expect((await olga.post(`/calls/${escalation}/cancel`, body)).statusCode).toBe(400);
  await olga.post(`/calls/${escalation}/cancel`, { reason: 'drill' });
  await work();
  const { items } = (await admin.get(`/alarms/${id}/timeline`)).json();
  expect(items).toContainEqual(expect.objectContaining({ kind: 'silenced', actor: 'Olga', detail: 'drill' }));
  const { path } = (await admin.get(`/alarms/${id}`)).json();
  clock.advance(3_600);
  await work();
  const before = world.sent.length;
  await admin.post('/alarms', { path, raised: true });
  await work();
  expect(world.sent.length).toBeGreaterThan(before);
  expect((await admin.get('/calls')).json().items).toMatchObject([{ id: escalation, alarmId: id }]);
});

test('acknowledging a call acknowledges its alarm; a call by hand just ends', async ({
  night,
  runtime,
  client,
}) => {
  const { admin, id, ada } = night;
  const operator = client('operator', { name: 'Olga' });
  const escalation = await newestCall(admin);
  expect((await operator.post(`/calls/${escalation}/acknowledge`)).json().closedReason).toBe('acknowledged');
  expect((await admin.get(`/alarms/${id}`)).json()).toMatchObject({ state: 1, ackUser: 'Olga' });
  await admin.post('/call/users', { userIds: [ada] });
  const request = await newestCall(admin);
  expect((await operator.post(`/calls/${request}/acknowledge`, {})).statusCode).toBe(200);
  expect((await escalationsOf(runtime)).map(({ closedReason }) => closedReason)).toEqual([
    'acknowledged',
    'acknowledged',
  ]);
  expect((await admin.get('/call/histories')).json().items[0]).toMatchObject({ status: 'Cancelled' });
});

test('a user limited to a station sees and ends the calls of that station only', async ({ client, work }) => {
  const admin = client('admin');
  const { raise } = await nightShift(admin);
  await admin.post('/stations', { name: 'South' });
  await raise('boiler/1');
  await raise('boiler/2', { stationId: 2 });
  await work();
  const bound = client('operator', { stationIds: [2] });
  const { items } = (await bound.get('/calls')).json();
  expect(items).toMatchObject([{ message: 'boiler/2 overheats', stationId: 2 }]);
  const others = (await admin.get('/calls?sort=id')).json().items[0].id;
  expect((await bound.get(`/calls/${others}`)).statusCode).toBe(404);
  expect((await bound.post(`/calls/${others}/cancel`, { reason: 'drill' })).statusCode).toBe(404);
  expect((await bound.post(`/calls/${others}/acknowledge`)).statusCode).toBe(404);
  expect((await admin.get('/calls')).json().paging.total).toBe(2);
});

test('the timeline shows the history of an alarm and its calls, in order of time', async ({
  night,
  client,
  clock,
  world,
  work,
  report,
}) => {
  const { id, groupId } = night;
  clock.advance(40);
  const { attemptId, answer } = sentOf(world);
  await report({ attemptId, reference: '', event: 'digits', digits: '000' });
  clock.advance(10);
  await report({ attemptId, reference: '', event: 'digits', digits: answer?.code });
  await work();

  const page = async (query: string, role: 'viewer' | 'machine' = 'viewer') =>
    (await client(role).get(`/alarms/${id}/timeline?${query}`)).json();
  const { items, paging } = await page('limit=100');
  expect(paging.total).toBe(items.length);
  expect(items).toMatchObject([
    { kind: 'raised', seq: 1, state: 3 },
    {
      kind: 'called',
      seq: 1,
      state: 3,
      occurrenceId: 1,
      actor: '',
      time: '2026-03-01T07:00:00+01:00',
      call: {
        user: 'Ada',
        callGroupId: groupId,
        medium: 'Voice',
        address: '********0001',
        attempt: 1,
        status: 'Acknowledged',
        endTime: '2026-03-01T07:00:50+01:00',
        ackTime: '2026-03-01T07:00:50+01:00',
      },
    },
    { kind: 'answered', answer: { judgement: 'wrong', way: 'provider' }, time: '2026-03-01T07:00:40+01:00' },
    { kind: 'acknowledged', seq: 2, actor: 'Ada', state: 1 },
    { kind: 'answered', seq: 2, actor: 'Ada', answer: { judgement: 'accepted', intent: 'take' } },
    { kind: 'calls-ended', detail: 'acknowledged' },
  ]);
  expect(items[0]).not.toHaveProperty('call');
  expect((await page('limit=100&sort=-id')).items).toEqual(items.toReversed());
  for (let offset = 0; offset < items.length; offset += 2)
    expect((await page(`limit=2&offset=${offset}`)).items).toEqual(items.slice(offset, offset + 2));
  // Machines see the history of their alarm, but not who was called.
  expect((await page('', 'machine')).items.map(({ kind }: { kind: string }) => kind)).toEqual([
    'raised',
    'acknowledged',
  ]);
});

test('a later attempt of a call by hand is visible at the same station as the first', async ({
  runtime,
  client,
  clock,
  world,
  work,
}) => {
  const admin = client('admin');
  await admin.post('/stations', { name: 'South', timeZone: 'Asia/Tokyo' });
  await addPhones(admin);
  const kay = await addPerson(admin, 'Kay', { stationIds: [2] });
  const lin = await addPerson(admin, 'Lin', { stationIds: [1] });
  world.answer = () => ({ kind: 'busy', reference: '' });
  await admin.post('/call/users', { userIds: [lin, kay], msgText: 'Come' });
  for (let pass = 0; pass < 4; pass += 1) {
    await work();
    clock.advance(20);
  }
  const attempts = await inTenant(runtime.database, 1, (transaction) =>
    transaction.selectFrom('callAttempts').select(['userId', 'stationId', 'attempt']).orderBy('id').execute(),
  );
  expect(attempts.length).toBeGreaterThan(4);
  for (const { userId, stationId } of attempts) expect(stationId).toBe(userId === kay ? 2 : 1);
});

test('a client that waits for a call by hand gets the outcome of a later retry', async ({
  client,
  clock,
  world,
  work,
}) => {
  const admin = client('admin');
  await addPhones(admin);
  // Kay's call goes on, so the second request calls somebody else.
  const media = [{ kind: 'Voice', address: '+33198765432' }] as const;
  const people = {
    reached: await addPerson(admin, 'Kay'),
    missed: await addPerson(admin, 'Lee', { media: [...media] }),
  };
  const wait = (key: 'reached' | 'missed') =>
    admin.post('/call/users', { userIds: [people[key]] }, { prefer: 'wait=0', 'idempotency-key': key });
  world.answer = () => ({ kind: 'noAnswer', reference: '' });
  await wait('reached');
  await work();
  expect((await wait('reached')).body).toBe('false');
  world.answer = () => ({ kind: 'answered', reference: '' });
  clock.advance(30);
  await work();
  expect((await wait('reached')).body).toBe('true');

  world.answer = () => ({ kind: 'busy', reference: '' });
  await wait('missed');
  for (let pass = 0; pass < 12; pass += 1) {
    await work();
    clock.advance(30);
  }
  // Longer than the test may last.
  const missed = await admin.post(
    '/call/users',
    { userIds: [people.missed] },
    { prefer: 'wait=60', 'idempotency-key': 'missed' },
  );
  expect(missed.body).toBe('false');
});
