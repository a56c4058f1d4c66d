import { expect } from 'vitest';
import { answersOf, codeOf, digits, nightShift, sentOf, test } from '../testing/answer.fixture.ts';
import { escalationsOf } from '../testing/dispatch.fixture.ts';

const alarmOf = (raised: { json(): unknown }) => raised.json() as { state: number; ackUser: string };
test("entering the code acknowledges the alarm in the person's name and ends the escalation", async ({
  night,
  runtime,
  clock,
  world,
  work,
  report,
}) => {
  const { admin, id } = night;
  const answer = await report(digits(sentOf(world), codeOf(sentOf(world))));
  expect(answer.statusCode).toBe(204);
  expect(alarmOf(await admin.get(`/alarms/${id}`))).toMatchObject({ state: 1, ackUser: 'Ada' });
  expect(await escalationsOf(runtime)).toEqual([{ occasion: 'raised', closedReason: 'acknowledged' }]);
  const [call] = (await admin.get('/call/histories')).json().items;
  expect(call).toMatchObject({ user: 'Ada', status: 'Acknowledged', ackTime: expect.any(String) });
  expect(await answersOf(runtime)).toEqual([{ method: 'provider', intent: 'take', judgement: 'accepted' }]);
  clock.advance(3_600);
  await work();
  expect(world.sent).toHaveLength(1);
});

test('the code followed by 2 only confirms the call: the next person is called', async ({
  night,
  runtime,
  clock,
  world,
  work,
  report,
}) => {
  const { admin, id } = night;
  await report(digits(sentOf(world), `${codeOf(sentOf(world))}2`));
  expect(alarmOf(await admin.get(`/alarms/${id}`))).toMatchObject({ state: 3, ackUser: '' });
  expect(await answersOf(runtime)).toEqual([
    { method: 'provider', intent: 'confirm', judgement: 'accepted' },
  ]);
  for (let second = 0; second < 59; second += 10) {
    clock.advance(9);
    await work();
  }
  expect(world.sent.map(({ address }) => address)).toEqual(['+33600000001']);
  clock.advance(10);
  await work();
  expect(world.sent.at(-1)?.address).toBe('+33600000002');

  // After confirming the call, the alarm can still be taken.
  await report(digits(sentOf(world), `${codeOf(sentOf(world))}1`));
  expect(alarmOf(await admin.get(`/alarms/${id}`))).toMatchObject({ state: 1, ackUser: 'Ada' });
});

test('a forged report changes nothing and is shown in the timeline', async ({
  night,
  runtime,
  client,
  world,
  report,
}) => {
  const { admin, id } = night;
  const right = digits(sentOf(world), codeOf(sentOf(world)));
  const forgeries = [
    { secret: Buffer.alloc(32, 6).toString('base64') },
    { channelId: 2 },
    { channelId: 99 },
    { instead: { ...right, reference: 'PC2' } },
  ];
  for (const forged of forgeries) {
    const answer = await report(right, forged);
    expect(answer.statusCode).toBe(403);
  }
  expect((await report({ ...right, attemptId: 'other-1-1' })).statusCode).toBe(403);
  expect((await report({ ...right, attemptId: 'test-1-999' })).statusCode).toBe(403);
  expect((await report({ ...right, attemptId: 'test-2-1' })).statusCode).toBe(403);
  expect(alarmOf(await admin.get(`/alarms/${id}`)).state).toBe(3);
  expect((await escalationsOf(runtime))[0]?.closedReason).toBeNull();
  expect(await answersOf(runtime)).toEqual(
    forgeries.map(() => ({ method: 'provider', intent: 'take', judgement: 'forged' })),
  );
  const { items } = (await client('viewer').get(`/alarms/${id}/timeline`)).json();
  expect(items.slice(-4)).toMatchObject(
    forgeries.map(() => ({ kind: 'answered', actor: '', answer: { judgement: 'forged' } })),
  );
});

test('a repeated report counts once', async ({ night, runtime, clock, world, report }) => {
  const { admin, id, raise } = night;
  const right = digits(sentOf(world), codeOf(sentOf(world)));
  const signing = { id: 'same', now: clock.now() };
  expect((await report(right, signing)).statusCode).toBe(204);
  await raise('boiler/1', { raised: false });
  await raise();
  expect((await report(right, signing)).statusCode).toBe(204);
  expect(alarmOf(await admin.get(`/alarms/${id}`)).state).toBe(3);
  expect((await answersOf(runtime)).map(({ judgement }) => judgement)).toEqual(['accepted', 'replayed']);
  clock.advance(301);
  expect((await report(right, signing)).statusCode).toBe(403);
});

test('the code of an earlier occurrence does not acknowledge the next one', async ({
  night,
  world,
  report,
}) => {
  const { admin, id, raise } = night;
  const old = digits(sentOf(world), codeOf(sentOf(world)));
  await admin.post(`/alarms/${id}/acknowledge`, {});
  await raise('boiler/1', { raised: false });
  await raise();
  expect((await report(old)).statusCode).toBe(204);
  expect(alarmOf(await admin.get(`/alarms/${id}`))).toMatchObject({ state: 3, ackUser: '' });
});

test('a code is valid for twelve hours', async ({ night, runtime, clock, world, report }) => {
  const { admin, id } = night;
  clock.advance(12 * 3_600);
  await report(digits(sentOf(world), codeOf(sentOf(world))));
  expect(alarmOf(await admin.get(`/alarms/${id}`)).state).toBe(3);
  expect((await answersOf(runtime)).map(({ judgement }) => judgement)).toEqual(['stale']);
});

test('five wrong codes lock the call, however many are tried at once', async ({
  night,
  runtime,
  world,
  report,
}) => {
  const { admin, id } = night;
  const right = codeOf(sentOf(world));
  const guesses = Array.from({ length: 12 }, (_, guess) => String((Number(right) + 1 + guess) % 1_000_000));
  await Promise.all(guesses.map((guess) => report(digits(sentOf(world), guess.padStart(6, '0')))));
  await report(digits(sentOf(world), right));
  const judgements = (await answersOf(runtime)).map(({ judgement }) => judgement);
  expect(judgements.filter((one) => one === 'wrong')).toHaveLength(5);
  expect(judgements.filter((one) => one === 'locked')).toHaveLength(8);
  expect(alarmOf(await admin.get(`/alarms/${id}`)).state).toBe(3);
});

test('a reply from another number than the called one is rejected', async ({
  night,
  runtime,
  world,
  report,
}) => {
  const { admin, id } = night;
  const { attemptId } = sentOf(world);
  const reply = { attemptId, reference: '', event: 'reply', text: `ok ${codeOf(sentOf(world))}` };
  await report({ ...reply, from: '+33699999999' });
  expect(alarmOf(await admin.get(`/alarms/${id}`)).state).toBe(3);
  await report({ ...reply, from: '0600000001' });
  expect(alarmOf(await admin.get(`/alarms/${id}`))).toMatchObject({ state: 1, ackUser: 'Ada' });
  expect((await answersOf(runtime)).map(({ judgement }) => judgement)).toEqual(['other-number', 'accepted']);
});

test('of two concurrent answers the first acknowledges the alarm, and both are recorded', async ({
  night,
  runtime,
  clock,
  world,
  work,
  report,
}) => {
  const { admin, id } = night;
  clock.advance(61);
  await work();
  const both = ['+33600000001', '+33600000002'].flatMap(
    (called) => world.sent.find(({ address }) => address === called) ?? [],
  );
  await Promise.all(both.map((message) => report(digits(message, codeOf(message)))));
  const { ackUser } = alarmOf(await admin.get(`/alarms/${id}`));
  expect(['Ada', 'Grace']).toContain(ackUser);
  expect((await answersOf(runtime)).map(({ judgement }) => judgement)).toEqual(['accepted', 'accepted']);
  const acknowledged = (await admin.get(`/alarms/${id}/timeline?limit=100`))
    .json<{ items: { kind: string }[] }>()
    .items.filter(({ kind }) => kind === 'acknowledged');
  expect(acknowledged).toHaveLength(1);
});

test('a person who was disabled meanwhile cannot answer', async ({ night, runtime, world, report }) => {
  const { admin, id, ada } = night;
  const { json } = await admin.get(`/users/${ada}`);
  await admin.put(`/users/${ada}`, { ...json<object>(), enabled: false });
  await report(digits(sentOf(world), codeOf(sentOf(world))));
  expect(alarmOf(await admin.get(`/alarms/${id}`)).state).toBe(3);
  expect((await answersOf(runtime)).map(({ judgement }) => judgement)).toEqual(['not-allowed']);
});

test('an acknowledgment in the answer to sending is judged by its code too', async ({
  runtime,
  client,
  world,
  work,
}) => {
  const admin = client('admin');
  const { raise } = await nightShift(admin);
  world.answer = () => ({ kind: 'acknowledged', reference: 'PC1', code: '0', isOver: true });
  const first = await raise();
  await work();
  expect(alarmOf(await admin.get(`/alarms/${first}`)).state).toBe(3);
  world.answer = (message) => ({ kind: 'acknowledged', reference: 'PC1', code: codeOf(message) });
  const second = await raise('boiler/2');
  await work();
  expect(alarmOf(await admin.get(`/alarms/${second}`))).toMatchObject({ state: 1, ackUser: 'Ada' });
  expect((await answersOf(runtime)).map(({ judgement }) => judgement)).toEqual(['wrong', 'accepted']);
});

test('other reports of a provider are stored, and the escalation follows them', async ({
  client,
  clock,
  world,
  work,
  report,
}) => {
  const admin = client('admin');
  const { raise } = await nightShift(admin);
  await raise();
  await work();
  const { attemptId } = sentOf(world);
  await report({ attemptId, reference: 'PC7', event: 'busy' });
  expect((await admin.get('/call/histories')).json().items).toMatchObject([{ status: 'Busy' }]);
  clock.advance(20);
  await work();
  expect(world.sent.map(({ address }) => address)).toEqual(['+33600000001', '+33600000001']);
});

test('the answer to one call for many alarms holds for all of them', async ({
  runtime,
  client,
  clock,
  world,
  work,
  report,
}) => {
  const admin = client('admin');
  const { raise } = await nightShift(admin);
  for (let boiler = 1; boiler <= 14; boiler += 1) await raise(`boiler/${boiler}`, { priority: 2 });
  for (let pass = 0; pass < 6; pass += 1) {
    await work();
    clock.advance(5);
  }
  const bundle = sentOf(
    world,
    world.sent.findIndex(({ alarmCount }) => alarmCount > 1),
  );
  await report(digits(bundle, codeOf(bundle)));
  const { items } = (await admin.get('/alarms?limit=100')).json<{ items: { ackUser: string }[] }>();
  expect(items.filter(({ ackUser }) => ackUser === 'Ada')).toHaveLength(bundle.alarmCount);
  expect(await answersOf(runtime)).toHaveLength(1);
});

test('a person called can answer in the console, and nobody else can answer for them', async ({
  night,
  client,
  world,
}) => {
  const { admin, id, ada, grace } = night;
  const attempt = Number(world.sent[0]?.attemptId.split('-').at(-1));
  const path = `/calls/attempts/${attempt}/acknowledge`;
  expect((await client('operator', { userId: grace }).post(path)).statusCode).toBe(404);
  expect((await client('operator', { userId: ada, tenantId: 2 }).post(path)).statusCode).toBe(404);
  const viewer = client('viewer', { userId: ada, name: 'Ada' });
  expect((await viewer.post(path)).json()).toEqual({ accepted: true, alarms: [] });
  expect((await viewer.post(path)).json()).toEqual({ accepted: false, alarms: [] });
  expect(alarmOf(await admin.get(`/alarms/${id}`)).state).toBe(3);
  expect((await viewer.post(path, { takeAlarm: true })).json()).toEqual({
    accepted: true,
    alarms: [{ id, outcome: 'taken', by: 'Ada' }],
  });
  expect(alarmOf(await admin.get(`/alarms/${id}`))).toMatchObject({ state: 1, ackUser: 'Ada' });
});

test('a person who refuses in the console gives the alarm to the next person at once', async ({
  night,
  client,
  world,
  work,
  runtime,
}) => {
  const { admin, id, ada, grace } = night;
  const attempt = Number(world.sent[0]?.attemptId.split('-').at(-1));
  const path = `/calls/attempts/${attempt}/refuse`;
  expect((await client('operator', { userId: grace }).post(path)).statusCode).toBe(404);
  expect(world.sent.map(({ address }) => address)).toEqual(['+33600000001']);
  const viewer = client('viewer', { userId: ada, name: 'Ada' });
  expect((await viewer.post(path)).json()).toEqual({ accepted: true, alarms: [] });
  await work();
  expect(world.sent.map(({ address }) => address)).toEqual(['+33600000001', '+33600000002']);
  expect(alarmOf(await admin.get(`/alarms/${id}`))).toMatchObject({ state: 3, ackUser: '' });
  expect(await answersOf(runtime)).toEqual([
    { method: 'interface', intent: 'refuse', judgement: 'accepted' },
  ]);
});
