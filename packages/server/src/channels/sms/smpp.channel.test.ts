import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { makeMailIdentity } from '../../../../../acceptance/harness/mail/small-mail-server.ts';
import { startSmsCentre } from '../../../../../acceptance/harness/sms/sms-centre.ts';
import { contextFor, messageTo, soon } from '../testing/messages.fixture.ts';
import { smppKind } from './smpp.channel.ts';
import { anna, short, test } from './testing/smpp-channel.fixture.ts';

test('a guard gets the text, in the GSM alphabet and with its data coding', async ({ centre, open }) => {
  const outcome = await open().channel.place(
    messageTo(anna, { ...short, text: 'Pump 3: 5 € [hot]' }),
    soon(),
  );
  expect(outcome).toEqual({ kind: 'accepted', reference: '00000001' });
  expect(await centre.textsFor(anna)).toEqual(['Pump 3: 5 € [hot]']);
  // The package would declare the GSM alphabet as IA5, which is 1.
  expect(centre.received[0]).toMatchObject({
    dataCoding: 0,
    toTon: 1,
    toNpi: 1,
    to: '33600000001',
    sourceTon: 1,
    source: '33700000001',
    wantsReceipt: 1,
  });
});

test('a sender that is a name is sent as a name', async ({ centre, open }) => {
  await open({ settings: { source: 'Waterworks' } }).channel.place(messageTo(anna, short), soon());
  expect(centre.received[0]).toMatchObject({ sourceTon: 5, sourceNpi: 0, source: 'Waterworks' });
});

test('a long text with emoji arrives whole, and no part tears one apart', async ({ centre, open }) => {
  const text = `Halle 3 ${'🔥👨‍🔧'.repeat(30)} Ende`;
  const outcome = await open().channel.place(messageTo(anna, { ...short, text }), soon());
  expect(centre.received.length).toBeGreaterThan(2);
  expect(await centre.textsFor(anna)).toEqual([text]);
  expect(centre.received.map(({ wantsReceipt }) => wantsReceipt).filter(Boolean)).toHaveLength(1);
  expect(outcome).toEqual({ kind: 'accepted', reference: centre.received.at(-1)?.id });
});

test('a long text goes whole in message_payload where the centre wants it so', async ({ centre, open }) => {
  const text = 'The basin overflows. '.repeat(15).trim();
  await open({ settings: { longTexts: 'payload' } }).channel.place(
    messageTo(anna, { ...short, text }),
    soon(),
  );
  expect(centre.received).toHaveLength(1);
  expect(centre.received[0]?.body).toHaveLength(0);
  expect(await centre.textsFor(anna)).toEqual([text]);
});

test('a wrong password is a fault of the channel, and it is not tried again at once', async ({
  centre,
  open,
}) => {
  const { channel } = open({ settings: { password: 'guess' }, timing: { backOffMs: 60_000 } });
  const failed = {
    kind: 'failed',
    permanent: false,
    blame: 'channel',
    reason: 'the SMS centre refused the log-in (0x0e)',
  };
  expect(await channel.place(messageTo(anna), soon())).toEqual(failed);
  expect(await channel.place(messageTo(anna), soon())).toEqual(failed);
  expect(await channel.check(soon())).toEqual({ works: false, reason: failed.reason });
  expect(centre.binds()).toBe(1);
});

test('a number that does not exist is the fault of the number', async ({ centre, open }) => {
  centre.behave({ kind: 'refuse', status: 0x0b }, '33600000001');
  expect(await open().channel.place(messageTo(anna), soon())).toMatchObject({
    kind: 'failed',
    permanent: true,
    blame: 'recipient',
  });
  expect(await open().channel.place(messageTo('anna@plant.example'), soon())).toMatchObject({
    kind: 'failed',
    permanent: true,
    blame: 'recipient',
  });
});

test.for([0x58, 0x14])(
  'a throttle (%i) is no failure, and the next messages wait',
  async (status, { centre, open }) => {
    centre.behave({ kind: 'refuse', status, times: 1 });
    const { channel } = open();
    const waits = { kind: 'notNow', retryAfterSeconds: 1, reason: expect.any(String) };
    expect(await channel.place(messageTo(anna, short), soon())).toEqual(waits);
    expect(await channel.place(messageTo(anna, short), soon())).toEqual(waits);
    expect(centre.received).toHaveLength(1);
    await sleep(1_050);
    expect(await channel.place(messageTo(anna, short), soon())).toMatchObject({ kind: 'accepted' });
  },
);

test('a throttle in the middle of a long text does not repeat its first part', async ({ centre, open }) => {
  centre.behave({ kind: 'refuse', status: 0x58, after: 1, times: 1 });
  const text = 'Overflow. '.repeat(30).trim();
  expect(await open().channel.place(messageTo(anna, { ...short, text }), soon())).toMatchObject({
    kind: 'accepted',
  });
  expect(centre.received.map(({ body }) => body[5])).toEqual([1, 2, 2]);
});

test('a long text that is taken only in part is unknown, because its end is missing', async ({
  centre,
  open,
}) => {
  centre.behave({ kind: 'refuse', status: 0x45, after: 1 });
  const text = 'Overflow. '.repeat(30).trim();
  expect(await open().channel.place(messageTo(anna, { ...short, text }), soon())).toEqual({
    kind: 'unknown',
    reason: expect.stringContaining('only a part'),
  });
});

test('a silent centre leaves the outcome unknown, and its connection is given up', async ({
  centre,
  open,
}) => {
  centre.behave({ kind: 'silent' });
  const { channel } = open({ timing: { idleMs: 60_000 } });
  expect(await channel.place(messageTo(anna, short), soon())).toEqual({
    kind: 'unknown',
    reason: expect.stringContaining('arrive twice'),
  });
  await expect.poll(centre.bound).toBe(0);
  centre.behave({ kind: 'accept' });
  expect(await channel.place(messageTo(anna, short), soon())).toMatchObject({ kind: 'accepted' });
  expect(centre.binds()).toBe(2);
});

test('a cut leaves every message in flight unknown, and none without an outcome', async ({
  centre,
  open,
}) => {
  centre.behave({ kind: 'silent' });
  const { channel } = open({ timing: { responseMs: 5_000, idleMs: 60_000 } });
  const numbers = Array.from({ length: 10 }, (_, index) => `+3360000010${index}`);
  const sent = numbers.map((number) => channel.place(messageTo(number, short), soon()));
  await expect.poll(() => centre.received.length).toBe(10);
  centre.cut();
  const outcomes = await Promise.all(sent);
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['unknown']));
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ reason: expect.stringMatching(/^the connection ended .* arrive twice/) });
  centre.behave({ kind: 'accept' });
  expect(await channel.place(messageTo(anna, short), soon())).toMatchObject({ kind: 'accepted' });
});

test('no more messages than the window are in flight, and the others wait for a free place', async ({
  centre,
  open,
}) => {
  centre.behave({ kind: 'accept', delayMs: 150 });
  const { channel } = open({ timing: { responseMs: 5_000 } });
  const sent = Array.from({ length: 15 }, () => channel.place(messageTo(anna, short), soon()));
  await expect.poll(() => centre.received.length).toBe(10);
  await sleep(50);
  expect(centre.received).toHaveLength(10);
  expect((await Promise.all(sent)).every(({ kind }) => kind === 'accepted')).toBe(true);
  expect(centre.received).toHaveLength(15);
});

test('a message that finds no place in the window is not sent, and is no failure', async ({
  centre,
  open,
}) => {
  centre.behave({ kind: 'silent' });
  const { channel } = open({ settings: { window: 1 }, timing: { responseMs: 2_000, idleMs: 60_000 } });
  const first = channel.place(messageTo(anna, short), soon());
  const second = await channel.place(messageTo(anna, short), AbortSignal.timeout(200));
  expect(second).toMatchObject({ kind: 'notNow' });
  centre.cut();
  expect(await first).toMatchObject({ kind: 'unknown' });
  expect(centre.received).toHaveLength(1);
});

test('with TLS the centre must show a certificate that the channel trusts', async ({
  open,
  onTestFinished,
}) => {
  const identity = await makeMailIdentity();
  const secure = await startSmsCentre(identity);
  onTestFinished(secure.stop);
  const settings = { port: secure.port, tls: true };
  expect(await open({ settings }).channel.check(soon())).toEqual({
    works: false,
    reason: 'its certificate is signed by nobody whom this server trusts',
  });
  const trusting = open({ settings: { ...settings, certificate: identity.cert } });
  expect(await trusting.channel.place(messageTo(anna, short), soon())).toMatchObject({ kind: 'accepted' });
});

test('a centre that the operator does not allow is never connected to', async ({ centre, open }) => {
  const { channel } = open({ context: { egress: contextFor('Sms', { allow: [] }).egress } });
  expect(await channel.place(messageTo(anna), soon())).toMatchObject({
    kind: 'failed',
    blame: 'channel',
    reason: expect.stringContaining('EGRESS_ALLOW'),
  });
  expect(centre.binds()).toBe(0);
});

test('a closed channel takes leave of the centre', async ({ centre, open }) => {
  const { channel } = open();
  await channel.check(soon());
  await channel.close?.();
  await expect.poll(centre.bound).toBe(0);
  expect(await channel.place(messageTo(anna), soon())).toMatchObject({ kind: 'failed', blame: 'channel' });
});

test('the kind serves SMS', () => expect(smppKind.media).toEqual(['Sms']));
