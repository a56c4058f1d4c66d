import { expect } from 'vitest';
import { addPerson, addPhones } from '../calls/people.fixture.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import { nightShift, sentOf, test } from './answer.fixture.ts';
import { dutiesOf } from './dispatch.fixture.ts';

test('the calls in progress tell whom somebody is being called for, and who just is', async ({
  client,
  work,
}) => {
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

test('whoever cancels a call ends it, hangs up, and is on record for it', async ({
  night,
  runtime,
  client,
  clock,
  world,
  work,
}) => {
  const { admin, id } = night;
  const [{ id: duty }] = (await admin.get('/calls')).json().items;
  expect((await client('viewer').post(`/calls/${duty}/cancel`, { reason: 'drill' })).statusCode).toBe(403);
  const answer = await client('operator', { name: 'Olga' }).post(`/calls/${duty}/cancel`, {
    reason: 'drill',
  });
  expect(answer.json()).toMatchObject({ id: duty, closedReason: 'cancelled' });
  expect(await dutiesOf(runtime)).toEqual([{ occasion: 'raised', closedReason: 'cancelled' }]);
  expect((await admin.get('/calls')).json().items).toEqual([]);
  await work();
  expect(world.hungUp).toEqual([world.sent[0]?.attemptId]);
  clock.advance(3_600);
  await work();
  expect(world.sent).toHaveLength(1);

  const { items } = (await admin.get(`/alarms/${id}/timeline`)).json();
  const notice = { kind: 'call-noticed', actor: 'Olga', detail: 'drill', notice: { kind: 'cancelled' } };
  expect(items.slice(-2)).toMatchObject([notice, { kind: 'calls-ended', detail: 'cancelled' }]);
  await client('operator', { name: 'Ivan' }).post(`/calls/${duty}/cancel`, { reason: 'me too' });
  expect((await admin.get(`/alarms/${id}/timeline`)).json().paging.total).toBe(items.length);
});

test('nobody silences an alarm without a reason, the journal has it, and a repeat calls again', async ({
  night,
  client,
  clock,
  world,
  work,
}) => {
  const { admin, id } = night;
  const olga = client('operator', { name: 'Olga' });
  const [{ id: duty }] = (await admin.get('/calls')).json().items;
  for (const body of [{}, { reason: '' }])
    expect((await olga.post(`/calls/${duty}/cancel`, body)).statusCode).toBe(400);
  await olga.post(`/calls/${duty}/cancel`, { reason: 'drill' });
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
  expect((await admin.get('/calls')).json().items).toMatchObject([{ id: duty, alarmId: id }]);
});

test('whoever acknowledges a call takes its alarm; a request just ends', async ({
  night,
  runtime,
  client,
}) => {
  const { admin, id, ada } = night;
  const operator = client('operator', { name: 'Olga' });
  const [{ id: duty }] = (await admin.get('/calls')).json().items;
  expect((await operator.post(`/calls/${duty}/acknowledge`)).json().closedReason).toBe('acknowledged');
  expect((await admin.get(`/alarms/${id}`)).json()).toMatchObject({ state: 1, ackUser: 'Olga' });
  await admin.post('/call/users', { userIds: [ada] });
  const [{ id: request }] = (await admin.get('/calls')).json().items;
  expect((await operator.post(`/calls/${request}/acknowledge`, {})).statusCode).toBe(200);
  expect((await dutiesOf(runtime)).map(({ closedReason }) => closedReason)).toEqual([
    'acknowledged',
    'acknowledged',
  ]);
  expect((await admin.get('/call/histories')).json().items[0]).toMatchObject({ status: 'Cancelled' });
});

test('whoever is bound to a station sees and ends the calls of that station only', async ({
  client,
  work,
}) => {
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

test('the timeline tells what happened and who was called for it, in order of time', async ({
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
        endTime: '2026-03-01T07:00:40+01:00',
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
  // Machines learn what became of their alarm, and not who was called.
  expect((await page('', 'machine')).items.map(({ kind }: { kind: string }) => kind)).toEqual([
    'raised',
    'acknowledged',
  ]);
});

test('a later attempt to reach somebody for a request is seen where the first was', async ({
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
  for (let turn = 0; turn < 4; turn += 1) {
    await work();
    clock.advance(20);
  }
  const attempts = await inTenant(runtime.database, 1, (transaction) =>
    transaction.selectFrom('callAttempts').select(['userId', 'stationId', 'attempt']).orderBy('id').execute(),
  );
  expect(attempts.length).toBeGreaterThan(4);
  for (const { userId, stationId } of attempts) expect(stationId).toBe(userId === kay ? 2 : 1);
});

test('a request waits through the retries, and is reached by a later one', async ({
  client,
  clock,
  world,
  work,
}) => {
  const admin = client('admin');
  await addPhones(admin);
  const kay = await addPerson(admin, 'Kay');
  const wait = (key: string) =>
    admin.post('/call/users', { userIds: [kay] }, { prefer: 'wait=0', 'idempotency-key': key });
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
  for (let turn = 0; turn < 12; turn += 1) {
    await work();
    clock.advance(30);
  }
  // Asked to wait for longer than the test may last.
  const missed = await admin.post(
    '/call/users',
    { userIds: [kay] },
    { prefer: 'wait=60', 'idempotency-key': 'missed' },
  );
  expect(missed.body).toBe('false');
});
