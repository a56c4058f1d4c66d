import { expect } from 'vitest';
import { addGroup, addPerson } from '../../calls/testing/people.fixture.ts';
import type { Incoming } from '../../channels/port/channel.ts';
import type { Message } from '../../channels/port/message.ts';
import type { ChannelOutcome } from '../../channels/port/outcome.ts';
import { createTenant } from '../../people/create-tenant.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import type { Client } from '../../testing/app.fixture.ts';
import { answersOf, codeOf, sentOf, test as withAnswers } from '../testing/answer.fixture.ts';
import { receiveIncoming } from './receive-incoming.ts';

const adasNumber = '+33600000001';
const smsChannel = 2;
const voiceChannel = 1;

/** Ada gets an SMS about each alarm. */
async function textingShift(admin: Client) {
  for (const medium of ['Voice', 'Sms'] as const) {
    const settings = { url: 'http://127.0.0.1:1' };
    await admin.post('/channels', { name: `PC ${medium}`, kind: 'simulated', medium, settings });
  }
  const media = [{ kind: 'Sms' as const, address: adasNumber }];
  const ada = await addPerson(admin, 'Ada', { media });
  const groupId = await addGroup(admin, 'Night', { userIds: [ada], ackTimeout: 60, attempts: 1 });
  const raise = async (path: string) => {
    const alarmActions = [{ type: 'CallGroup', id: groupId }];
    return (
      await admin.post('/alarms', { path, alarmMessage: `${path} overheats`, alarmActions })
    ).json<number>();
  };
  return { ada, raise };
}

const test = withAnswers
  .extend('receive', ({ runtime, dispatch }) => {
    const { writer, names, answerKeys, metrics } = dispatch;
    const services = { runtime, writer, names, answerKeys, countAttempts: metrics.countAttempts };
    return (incoming: Incoming, { tenantId = 1, channelId = smsChannel } = {}) =>
      receiveIncoming(services, { tenantId, channelId }, incoming);
  })
  .extend('texting', async ({ client, work }) => {
    const admin = client('admin');
    const { raise, ada } = await textingShift(admin);
    const id = await raise('boiler/1');
    await work();
    const alarm = async (alarmId = id) =>
      (await admin.get(`/alarms/${alarmId}`)).json<{ state: number; ackUser: string }>();
    return { admin, id, ada, raise, alarm };
  });

const nothing = { judgement: '', takenBy: '' };
const reply = (text: string, from = adasNumber): Incoming => ({ kind: 'reply', attemptId: '', from, text });
const wrongCode = (message: Message, by = 1) =>
  String((Number(codeOf(message)) + by) % 1_000_000).padStart(6, '0');

test.for([adasNumber, '0600000001', '33 6 00 00 00 01'])(
  'an SMS from %s with the code takes the alarm, although it names no call',
  async (from, { texting, world, receive }) => {
    const answered = await receive(reply(`ok ${codeOf(sentOf(world))}`, from));
    expect(answered).toMatchObject({ judgement: 'accepted' });
    expect(await texting.alarm()).toMatchObject({ state: 1, ackUser: 'Ada' });
  },
);

test('of two messages the one whose code is sent is answered, and a repetition changes nothing', async ({
  texting,
  runtime,
  world,
  work,
  receive,
}) => {
  const second = await texting.raise('boiler/2');
  await work();
  const text = reply(codeOf(sentOf(world, 0)));
  await receive(text);
  await receive(text);
  expect(await texting.alarm()).toMatchObject({ ackUser: 'Ada' });
  expect(await texting.alarm(second)).toMatchObject({ state: 3, ackUser: '' });
  expect((await answersOf(runtime)).map(({ judgement }) => judgement)).toEqual(['accepted', 'used']);
  await receive(reply(`${codeOf(sentOf(world, 1))} 2`));
  expect(await texting.alarm(second), 'the 2 only confirms the message').toMatchObject({ state: 3 });
  await receive(reply(codeOf(sentOf(world, 1))));
  expect(await texting.alarm(second)).toMatchObject({ ackUser: 'Ada' });
});

test.for(['1', 'ok', 'yes, I am coming', ''])(
  'the reply "%s" has no code and takes nothing',
  async (text, { texting, runtime, receive }) => {
    expect(await receive(reply(text))).toEqual(nothing);
    expect(await texting.alarm()).toMatchObject({ state: 3 });
    expect(await answersOf(runtime)).toEqual([]);
  },
);

test('a reply from an unknown number changes nothing, whatever code it has', async ({
  texting,
  runtime,
  world,
  receive,
}) => {
  for (const from of ['+33699999999', '1', '', 'ALARMS', 'ada@plant.example'])
    expect(await receive(reply(codeOf(sentOf(world)), from))).toEqual(nothing);
  expect(await texting.alarm()).toMatchObject({ state: 3 });
  expect(await answersOf(runtime)).toEqual([]);
});

test('five wrong codes of a number lock all its messages, however many come at once', async ({
  texting,
  runtime,
  world,
  work,
  receive,
}) => {
  const second = await texting.raise('boiler/2');
  await work();
  const own = world.sent.map(codeOf);
  const guesses = Array.from({ length: 12 }, (_, guess) => wrongCode(sentOf(world), guess + 1));
  await Promise.all(guesses.filter((guess) => !own.includes(guess)).map((guess) => receive(reply(guess))));
  for (const code of own) expect(await receive(reply(code))).toMatchObject({ judgement: 'locked' });
  expect(await texting.alarm()).toMatchObject({ state: 3 });
  expect(await texting.alarm(second)).toMatchObject({ state: 3 });
  const judgements = (await answersOf(runtime)).map(({ judgement }) => judgement);
  expect(judgements.filter((one) => one === 'wrong')).toHaveLength(5);
});

test('a message of yesterday cannot be answered any more', async ({ texting, clock, world, receive }) => {
  const code = codeOf(sentOf(world));
  clock.advance(13 * 3_600);
  expect(await receive(reply(code))).toMatchObject({ judgement: 'late' });
  clock.advance(12 * 3_600);
  expect(await receive(reply(code))).toEqual(nothing);
  expect(await texting.alarm()).toMatchObject({ state: 3 });
});

test('an SMS does not answer a telephone call', async ({ night, world, receive }) => {
  expect(await receive(reply(codeOf(sentOf(world))))).toEqual(nothing);
  expect((await night.admin.get(`/alarms/${night.id}`)).json()).toMatchObject({ state: 3 });
});

test('two plants that call the same number do not hear replies to each other', async ({
  texting,
  runtime,
  client,
  world,
  work,
  receive,
}) => {
  const elsewhere = await createTenant(runtime, { name: 'Elsewhere' });
  const admin = client('admin', { tenantId: elsewhere });
  const other = await textingShift(admin);
  const otherAlarm = await other.raise('furnace/1');
  await work();
  const [mine, theirs] = [sentOf(world, 0), sentOf(world, 1)];
  const atTheirs = { tenantId: elsewhere };
  expect(await receive(reply(codeOf(mine)), atTheirs), 'a wrong code there').toEqual(nothing);
  expect(await receive(reply(codeOf(theirs)))).toEqual(nothing);
  expect(await texting.alarm()).toMatchObject({ state: 3 });
  await receive(reply(codeOf(theirs)), atTheirs);
  expect((await admin.get(`/alarms/${otherAlarm}`)).json()).toMatchObject({ state: 1, ackUser: 'Ada' });
  expect(await texting.alarm(), 'the alarm of the first plant').toMatchObject({ state: 3 });
  const byName = { ...reply(codeOf(mine)), attemptId: mine.attemptId };
  expect(await receive(byName, atTheirs)).toEqual(nothing);
  expect(await receive(byName)).toMatchObject({ judgement: 'accepted' });
});

test('a person who replies by mail is recognised by their address, in any case of its letters', async ({
  client,
  world,
  work,
  receive,
}) => {
  const admin = client('admin');
  const { raise } = await textingShift(admin);
  const mail = { name: 'Mail', kind: 'email', settings: { host: '127.0.0.1', from: 'a@plant.example' } };
  await admin.post('/channels', mail);
  const media = [{ kind: 'Email' as const, address: 'Grace@Plant.example' }];
  const grace = await addPerson(admin, 'Grace', { media });
  const groupId = await addGroup(admin, 'Mail', { userIds: [grace] });
  await raise('boiler/1');
  const alarmActions = [{ type: 'CallGroup', id: groupId }];
  const id = (
    await admin.post('/alarms', { path: 'pump', alarmMessage: 'fails', alarmActions })
  ).json<number>();
  await work();
  const message = world.sent.find(({ address }) => address.includes('@'));
  if (!message) throw new Error('no mail was sent');
  const from = 'grace@plant.EXAMPLE';
  expect(await receive(reply(codeOf(message), 'eve@plant.example'), { channelId: 3 })).toEqual(nothing);
  expect(await receive(reply(codeOf(message), from), { channelId: 3 })).toMatchObject({
    judgement: 'accepted',
  });
  expect((await admin.get(`/alarms/${id}`)).json()).toMatchObject({ ackUser: 'Grace' });
});

const statusOf = async ({ admin }: { admin: Client }) =>
  (await admin.get('/call/histories'))
    .json<{ items: { status: string }[] }>()
    .items.map(({ status }) => status);

test("a receipt is matched by the provider's reference, within the channel that sent the message", async ({
  texting,
  world,
  receive,
}) => {
  const reference = sentOf(world).attemptId; // as the simulated provider names it
  const receipt: Incoming = { kind: 'outcome', attemptId: '', outcome: { kind: 'delivered', reference } };
  await receive(receipt, { channelId: voiceChannel });
  await receive({ ...receipt, outcome: { kind: 'delivered', reference: 'unknown' } });
  await receive({ ...receipt, outcome: { kind: 'delivered', reference: '' } });
  expect(await statusOf(texting)).toEqual(['Calling']);
  await receive(receipt);
  await receive(receipt);
  expect(await statusOf(texting)).toEqual(['Delivered']);
});

test('a receipt that arrives before the reference is stored waits for it', async ({
  client,
  world,
  work,
  receive,
}) => {
  const admin = client('admin');
  const { raise } = await textingShift(admin);
  const outcome = { kind: 'delivered', reference: 'SM1' } as const;
  let received: Promise<unknown> = Promise.resolve();
  world.answer = () => {
    received = receive({ kind: 'outcome', attemptId: '', outcome });
    return { kind: 'accepted', reference: 'SM1' };
  };
  await raise('boiler/1');
  await work();
  await received;
  expect(await statusOf({ admin })).toEqual(['Delivered']);
});

test('a channel reports only on attempts that it has sent', async ({ texting, world, receive }) => {
  const { attemptId } = sentOf(world);
  const failed = { kind: 'failed', permanent: true, blame: 'recipient', reason: 'unknown number' } as const;
  const report: Incoming = { kind: 'outcome', attemptId, outcome: failed };
  await receive(report, { channelId: voiceChannel });
  await receive({ ...report, attemptId: 'test-1-999' });
  await receive({ ...report, attemptId: 'elsewhere-1-1' });
  expect(await statusOf(texting)).toEqual(['Calling']);
  await receive(report);
  expect(await statusOf(texting)).toEqual(['Failed']);
});

test('keys count while their call goes on, and not when they are reported long after its end', async ({
  night,
  clock,
  world,
  receive,
}) => {
  const { attemptId } = sentOf(world);
  const report = (outcome: ChannelOutcome) =>
    receive({ kind: 'outcome', attemptId, outcome }, { channelId: voiceChannel });
  const reference = 'CA1';
  const pressed = {
    kind: 'pressed',
    reference,
    choice: 'take',
    heard: [attemptId],
    proof: { kind: 'leg' },
  } as const;
  const state = async () => (await night.admin.get(`/alarms/${night.id}`)).json<{ state: number }>().state;
  await report({ kind: 'answered', reference });
  await report({ kind: 'ended', reference, reason: '' });
  clock.advance(31);
  expect(await report(pressed)).toEqual({ judgement: 'late', takenBy: '' });
  expect(await state()).toBe(3);
  clock.advance(-5); // the report of the end has overtaken that of the keys
  expect(await report(pressed)).toEqual({ judgement: 'accepted', takenBy: '' });
  expect(await state()).toBe(1);
});

test('the attempt of a reference is found by an index', async ({ texting, runtime }) => {
  expect(texting.id).toBeGreaterThan(0);
  const plan = await inTenant(runtime.database, 1, async ({ client }) => {
    await client.query('set local enable_seqscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain select id from call_attempts where reference = 'x' and reference <> '' and tenant_id = 1`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toContain('call_attempts_reference');
});
