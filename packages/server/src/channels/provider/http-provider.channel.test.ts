import type { MediumKind } from '@tocsin/domain';
import { test as base, expect } from 'vitest';
import { startProviderStub, stubSignature } from '../../../../../acceptance/harness/sms/provider-stub.ts';
import { readTwiml } from '../../../../../acceptance/harness/sms/twiml-reader.ts';
import type { CallbackReading, Channel } from '../port/channel.ts';
import { contextFor, messageTo, soon } from '../testing/messages.fixture.ts';
import { httpProviderKind } from './http-provider.channel.ts';

const anna = '+33612345678';
const callbackUrl = 'https://tocsin.plant.example/alertws/api/v1/channels/7/callback';

const test = base
  .extend('started', () => startProviderStub())
  .extend('stub', ({ started }, { onCleanup }) => {
    onCleanup(() => started.stop());
    return started;
  })
  .extend('open', ({ stub }, { onCleanup }) => {
    const opened: Channel[] = [];
    onCleanup(async () => {
      for (const channel of opened) await channel.close?.();
    });
    return (medium: MediumKind = 'Voice', authToken = stub.authToken) => {
      const settings = {
        accountSid: stub.accountSid,
        authToken,
        baseUrl: `${stub.url}/`,
        from: '+33100000000',
      };
      const channel = httpProviderKind.create(settings, contextFor(medium));
      opened.push(channel);
      return channel;
    };
  })
  .extend('post', ({ stub, open }) => {
    const channel = open();
    return (url: string, form: Record<string, string>, authToken = stub.authToken): CallbackReading => {
      const body = new URLSearchParams(form);
      const headers = { 'x-twilio-signature': stubSignature(authToken, url, body) };
      const reading = channel.receive?.({ url, headers, body: body.toString(), now: new Date() });
      if (!reading) throw new Error('the channel reads no call-backs');
      return reading;
    };
  });

const call = { CallSid: 'CA1', AccountSid: 'AC1' };
const about = `${callbackUrl}?attempt=site-1-7`;

test('a call is ordered with its text and menu, and the provider names it', async ({ stub, open }) => {
  const channel = open();
  const message = messageTo(anna, { text: 'Pump <3> & "basin"\nfails', language: 'fr' });
  const outcome = await channel.place(message, soon());
  expect(outcome).toEqual({ kind: 'accepted', reference: stub.calls[0]?.sid });
  stub.phones.set(anna, { kind: 'answers' });
  await channel.place(message, soon());
  await expect.poll(() => stub.calls[1]?.status).toBe('completed');
  expect(stub.calls[1]?.said[0]).toBe('Pump <3> & "basin" fails');
});

test('without a public URL a call only says its text, and its end is read from the provider', async ({
  stub,
  open,
}) => {
  stub.phones.set(anna, { kind: 'answers', keys: ['1'] });
  const channel = open();
  await channel.place(messageTo(anna), soon());
  await expect.poll(() => stub.calls[0]?.status).toBe('completed');
  expect(stub.callbacks).toEqual([]);
  const leg = { attemptId: 'x', reference: stub.calls[0]?.sid ?? '' };
  expect(await channel.query?.(leg, soon())).toMatchObject({ kind: 'ended' });
  expect(await channel.query?.({ ...leg, reference: 'CA0' }, soon())).toBeUndefined();
  expect(await channel.query?.({ ...leg, reference: '' }, soon())).toBeUndefined();
});

test.for([
  [
    { status: 429, retryAfterSeconds: 9 },
    { kind: 'notNow', retryAfterSeconds: 9 },
  ],
  [{ status: 429 }, { kind: 'notNow', retryAfterSeconds: 5 }],
  [
    { status: 400, code: 21_211 },
    { kind: 'failed', blame: 'recipient', permanent: true },
  ],
  [
    { status: 400, code: 21_212 },
    { kind: 'failed', blame: 'channel', permanent: false },
  ],
  [{ status: 403 }, { kind: 'failed', blame: 'channel', permanent: false }],
  [{ status: 503 }, { kind: 'failed', blame: 'channel', permanent: false }],
] as const)('an order that is answered with %j is %j', async ([refusal, outcome], { stub, open }) => {
  stub.refusal = refusal;
  for (const medium of ['Voice', 'Sms'] as const)
    expect(await open(medium).place(messageTo(anna), soon())).toMatchObject(outcome);
});

test('a wrong token is a fault of the channel, and the check says so', async ({ open }) => {
  const wrong = open('Sms', 'wrong');
  expect(await wrong.place(messageTo(anna), soon())).toMatchObject({ kind: 'failed', blame: 'channel' });
  expect(await wrong.check(soon())).toEqual({ works: false, reason: 'HTTP 401' });
  expect(await open().check(soon())).toEqual({ works: true });
});

test('a provider that does not answer leaves the outcome open', async ({ stub, open }) => {
  const channel = open();
  await stub.stop();
  expect(await channel.place(messageTo(anna), soon())).toMatchObject({ kind: 'failed', blame: 'channel' });
  expect(await channel.check(soon())).toMatchObject({ works: false });
});

test('a ringing call is ended, and a listener hears who has taken the alarm, in their language', async ({
  stub,
  open,
}) => {
  const channel = open();
  stub.phones.set(anna, { kind: 'rings' });
  await channel.place(messageTo(anna), soon());
  const legOf = (place: number) => ({ attemptId: 'x', reference: stub.calls[place]?.sid ?? '' });
  await expect.poll(() => stub.calls[0]?.status).toBe('ringing');
  await channel.hangUp?.(legOf(0), soon(), { kind: 'taken', by: 'Grace' });
  expect(stub.calls[0]?.status).toBe('canceled');
  stub.phones.set(anna, { kind: 'answers', talkMs: 2_000 });
  await channel.place(messageTo(anna), soon());
  await expect.poll(() => stub.calls[1]?.said.length).toBeGreaterThan(0);
  await channel.hangUp?.(legOf(1), soon(), { kind: 'taken', by: 'Grace' });
  expect(stub.calls[1]?.said.at(-1)).toContain('taken by Grace');
  await channel.place(messageTo(anna), soon());
  await expect.poll(() => stub.calls[2]?.said.length).toBeGreaterThan(0);
  await channel.hangUp?.(legOf(2), soon(), { kind: 'over', language: 'fr' });
  expect(stub.calls[2]?.said.at(-1)).toBe("L'alarme est terminée. Au revoir.");
});

test.for([
  ['queued', { kind: 'accepted', reference: 'CA1' }],
  ['ringing', { kind: 'ringing', reference: 'CA1' }],
  ['in-progress', { kind: 'answered', reference: 'CA1' }],
  ['completed', { kind: 'ended', reference: 'CA1', reason: '', wasAnswered: true }],
  ['busy', { kind: 'busy', reference: 'CA1' }],
  ['no-answer', { kind: 'noAnswer', reference: 'CA1' }],
  ['canceled', { kind: 'ended', reference: 'CA1', reason: 'the call was cancelled' }],
] as const)('a call that is %s is reported as such', ([status, outcome], { post }) => {
  expect(post(about, { ...call, CallStatus: status })).toMatchObject({
    kind: 'report',
    callbackId: `CA1-${status}`,
    incoming: { kind: 'outcome', attemptId: 'site-1-7', outcome },
    response: { contentType: 'text/xml; charset=utf-8' },
  });
});

test.for([
  ['404', { blame: 'recipient', permanent: true }],
  ['503', { blame: 'channel', permanent: false }],
  ['480', { blame: 'recipient', permanent: false }],
] as const)('a call that failed with SIP %s is %j', ([SipResponseCode, failure], { post }) => {
  const reading = post(about, { ...call, CallStatus: 'failed', SipResponseCode });
  expect(reading).toMatchObject({ incoming: { outcome: { kind: 'failed', ...failure } } });
});

test.for([
  [{ MessageStatus: 'sent' }, { kind: 'accepted', reference: 'SM1' }],
  [{ MessageStatus: 'delivered' }, { kind: 'delivered', reference: 'SM1' }],
  [
    { MessageStatus: 'undelivered', ErrorCode: '30005' },
    { blame: 'recipient', permanent: true },
  ],
  [
    { MessageStatus: 'failed', ErrorCode: '30003' },
    { blame: 'recipient', permanent: false },
  ],
  [
    { MessageStatus: 'failed', ErrorCode: '30007' },
    { blame: 'channel', permanent: false },
  ],
] as const)('a message with %j is %j', ([form, outcome], { post }) => {
  expect(post(about, { MessageSid: 'SM1', ...form })).toMatchObject({ incoming: { outcome } });
});

test('a text of a person is a reply that names no attempt', ({ post }) => {
  const form = { MessageSid: 'SM2', SmsStatus: 'received', From: anna, Body: 'ok 482913' };
  expect(post(`${callbackUrl}?tenant=1`, form)).toMatchObject({
    callbackId: 'SM2-reply',
    incoming: { kind: 'reply', attemptId: '', from: anna, text: 'ok 482913' },
  });
});

test('a forged, changed or unsigned call-back is refused', ({ stub, open, post }) => {
  const refused = { kind: 'refused', reason: 'not-signed' };
  const form = { ...call, CallStatus: 'completed' };
  expect(post(about, form, 'another token')).toEqual(refused);
  const channel = open();
  const body = new URLSearchParams(form);
  const signature = stubSignature(stub.authToken, about, body);
  const send = (url: string, text: string, headers: Record<string, string>) =>
    channel.receive?.({ url, headers, body: text, now: new Date() });
  const signed = { 'x-twilio-signature': signature };
  expect(send(about, body.toString(), signed)).toMatchObject({ kind: 'report' });
  expect(send(about, `${body.toString()}&Digits=1`, signed)).toEqual(refused);
  expect(send(about.replace('site-1-7', 'site-1-8'), body.toString(), signed)).toEqual(refused);
  expect(send(about, body.toString(), {})).toEqual(refused);
  expect(send('/api/v1/channels/7/callback', body.toString(), signed)).toEqual(refused);
});

test('the signature of the public documentation is right', async () => {
  const { providerSignature, isSignedByProvider } = await import('./provider-signature.ts');
  const form = new URLSearchParams({
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675310',
    Digits: '1234',
    From: '+14158675310',
    To: '+18005551212',
  });
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
  expect(providerSignature('12345', url, form)).toBe('GvWf1cFY/Q7PnoempGyD5oXAezc=');
  const withPort = providerSignature('12345', 'https://mycompany.com:443/myapp.php?foo=1&bar=2', form);
  expect(isSignedByProvider('12345', { url, form }, withPort)).toBe(true);
});

test.for([
  {},
  { CallSid: 'CA1', CallStatus: 'sang' },
  { CallSid: '../x', CallStatus: 'busy' },
  { MessageSid: 'SM1' },
])('a signed call-back that is not understood is refused: %j', (form, { post }) => {
  expect(post(about, form as Record<string, string>)).toEqual({ kind: 'refused', reason: 'not-understood' });
});

/** Orders a call and returns where its keys are posted. */
async function keysUrl({ stub, channel }: { stub: { calls: unknown[] }; channel: Channel }, more = {}) {
  const order = httpOrders(stub);
  await channel.place(messageTo(anna, { attemptId: 'site-1-7', callbackUrl, ...more }), soon());
  return order();
}

function httpOrders(stub: { calls: unknown[] }) {
  const place = stub.calls.length;
  return () => {
    const { twiml } = stub.calls[place] as { twiml: string };
    const { action = '', said } = readTwiml(twiml);
    return { action, said };
  };
}

test('characters that XML does not allow make no call silent', async ({ stub, open, post }) => {
  const text = 'Pump\ufffe 3\uffff fails';
  const { action, said } = await keysUrl({ stub, channel: open() }, { text, alarms: [] });
  expect(said[0]).toMatch(/^Pump\s+3\s+fails/);
  const reading = post(action, { ...call, Digits: '1' });
  if (reading.kind !== 'report') throw new Error(reading.reason);
  const late = reading.responseTo?.({ judgement: 'late', takenBy: 'Gr\u0001ace\uffff' });
  expect(readTwiml(late?.body ?? '').said.join()).toContain('taken by Gr ace');
});

test('key 1 takes the alarms that were said, and what is told to the person depends on the server', async ({
  stub,
  open,
  post,
}) => {
  const { action } = await keysUrl({ stub, channel: open() }, { alarms: [] });
  const reading = post(action, { ...call, Digits: '1' });
  if (reading.kind !== 'report') throw new Error(reading.reason);
  expect(reading.incoming).toEqual({
    kind: 'outcome',
    attemptId: 'site-1-7',
    outcome: {
      kind: 'pressed',
      reference: 'CA1',
      choice: 'take',
      heard: ['site-1-7'],
      proof: { kind: 'leg' },
    },
  });
  const told = (judgement: 'accepted' | 'late' | '', takenBy = '') =>
    readTwiml(reading.responseTo?.({ judgement, takenBy }).body ?? '').said.join();
  expect(told('accepted')).toContain('You have taken the alarm');
  expect(told('late', 'Grace')).toContain('taken by Grace');
  expect(told('')).toContain('could not be recorded');
  expect(post(action, { ...call, Digits: '2' })).toMatchObject({
    incoming: { outcome: { choice: 'refuse' } },
  });
});

test('a call by hand is confirmed, and cannot be refused', async ({ stub, open, post }) => {
  const { action, said } = await keysUrl({ stub, channel: open() }, { alarms: [], alarmCount: 0 });
  expect(said.join()).toContain('To confirm');
  expect(post(action, { ...call, Digits: '1' })).toMatchObject({
    incoming: { outcome: { choice: 'confirm' } },
  });
  expect(post(action, { ...call, Digits: '2' })).toMatchObject({
    incoming: { outcome: { kind: 'answered' } },
  });
});

test('the star repeats, silence repeats twice, and the repetition is another report', async ({
  stub,
  open,
  post,
}) => {
  const { action, said } = await keysUrl({ stub, channel: open() });
  const press = (url: string, form: Record<string, string>) => {
    const reading = post(url, { ...call, ...form });
    if (reading.kind !== 'report') throw new Error(reading.reason);
    return { ...readTwiml(reading.response.body), callbackId: reading.callbackId };
  };
  const again = press(action, { Digits: '*' });
  expect(again.said).toEqual(said);
  const first = press(again.action ?? '', {});
  expect(first.callbackId).not.toBe(again.callbackId);
  const second = press(first.action ?? '', {});
  expect(second.said).toEqual(said);
  const last = press(second.action ?? '', {});
  expect(last).toMatchObject({ said: ['Goodbye.'], action: undefined });
});

test('of many alarms those are said for which there is room, and only these are taken', async ({
  stub,
  open,
  post,
}) => {
  const alarms = Array.from({ length: 10 }, (_, index) => ({
    id: index,
    attemptId: `site-1-${index + 7}`,
    priority: 1,
    message: `Pump ${index} ${'overflows '.repeat(15)}`,
  }));
  const { action, said } = await keysUrl({ stub, channel: open() }, { alarms, alarmCount: 14 });
  const reading = post(action, { ...call, Digits: '1' });
  const heard = alarms.filter(({ message }) => said.some((line) => line.includes(message.trim())));
  expect(heard.length).toBeGreaterThan(2);
  expect(heard.length).toBeLessThan(10);
  const names = heard.map(({ attemptId }) => attemptId);
  expect(reading).toMatchObject({ incoming: { outcome: { heard: names } } });
  const { statusUrl, twiml } = stub.calls[0] ?? { statusUrl: '', twiml: '' };
  expect(post(statusUrl, { ...call, CallStatus: 'completed' })).toMatchObject({
    incoming: { outcome: { kind: 'ended', heard: names } },
  });
  expect(twiml.length).toBeLessThan(4_000);
});
