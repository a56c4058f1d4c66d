import { createECDH } from 'node:crypto';
import { test as base, expect } from 'vitest';
import { startPushService } from '../../../../../acceptance/harness/push/push-service.ts';
import { contextFor, messageTo, soon } from '../testing/messages.fixture.ts';
import { webPushKind } from './web-push.channel.ts';

function newKeys() {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('base64url');
  // A private key with leading zeros is returned without them.
  const privateKey = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32);
  return { publicKey, privateKey: privateKey.toString('base64url') };
}

const keys = newKeys();

const test = base
  .extend('started', { scope: 'file' }, () => startPushService())
  .extend('service', { scope: 'file' }, ({ started }, { onCleanup }) => {
    onCleanup(started.stop);
    return started;
  })
  .extend('open', ({ service }, { onCleanup }) => {
    const ends: (() => void)[] = [];
    onCleanup(() => {
      for (const end of ends) end();
    });
    return (settings: object = {}, context = contextFor('Push', { now: () => new Date() })) => {
      const subject = 'mailto:alarm@plant.example';
      const { certificate } = service;
      const channel = webPushKind.create({ ...keys, subject, certificate, ...settings }, context);
      ends.push(() => void channel.close?.());
      return channel;
    };
  });

test('a browser shows the message, which only it can read, and opens the link', async ({ service, open }) => {
  const browser = service.subscribe(keys.publicKey);
  const message = messageTo(browser.address, { text: 'Überlauf <Becken 3> 🌊', subject: 'Pump 3\r\nfails' });
  expect(await open().place(message, soon())).toEqual({ kind: 'accepted', reference: message.attemptId });
  expect(service.refused).toEqual([]);
  expect(browser.shown).toEqual([
    { title: 'Pump 3 fails', text: 'Überlauf <Becken 3> 🌊', link: message.answer?.link, alarmId: 7 },
  ]);
  expect(browser.headers[0]).toMatchObject({ ttl: '3600', urgency: 'high' });
});

test('a message that is sent again replaces itself, and never another one', async ({ service, open }) => {
  const browser = service.subscribe(keys.publicKey);
  const first = messageTo(browser.address);
  for (const message of [first, first, messageTo(browser.address)]) await open().place(message, soon());
  const [one, again, other] = browser.headers.map(({ topic }) => String(topic));
  expect(one).toMatch(/^[\w-]{32}$/);
  expect(again).toBe(one);
  expect(other).not.toBe(one);
});

test.for(['x', '"', '\n', 'ü', '🌊'])(
  'a long text of %j is cut to what a push service takes',
  async (one, { service, open }) => {
    const browser = service.subscribe(keys.publicKey);
    const message = messageTo(browser.address, { text: one.repeat(9_000), subject: one.repeat(9_000) });
    expect(await open().place(message, soon())).toMatchObject({ kind: 'accepted' });
    const [shown] = browser.shown;
    expect(shown?.text.startsWith(one)).toBe(true);
    expect(shown?.text.endsWith('…')).toBe(true);
    expect(shown?.text.isWellFormed()).toBe(true);
    expect(shown?.link).toBe(message.answer?.link);
  },
);

test.for([
  [
    { status: 404 },
    { kind: 'failed', permanent: true, blame: 'recipient', reason: 'the subscription has ended' },
  ],
  [
    { status: 410 },
    { kind: 'failed', permanent: true, blame: 'recipient', reason: 'the subscription has ended' },
  ],
  [{ status: 413 }, { kind: 'failed', permanent: false, blame: 'channel', reason: 'HTTP 413' }],
  [{ status: 403 }, { kind: 'failed', permanent: false, blame: 'channel', reason: 'HTTP 403' }],
  [
    { status: 429, retryAfter: 7 },
    { kind: 'notNow', retryAfterSeconds: 7 },
  ],
  [{ status: 429 }, { kind: 'notNow', retryAfterSeconds: 10 }],
  [
    { status: 429, retryAfter: 999_999 },
    { kind: 'notNow', retryAfterSeconds: 3_600 },
  ],
  [
    { status: 503, retryAfter: 5 },
    { kind: 'failed', permanent: false, blame: 'channel', retryAfterSeconds: 5 },
  ],
  [{ status: 302 }, { kind: 'failed', permanent: false, blame: 'channel' }],
] as const)('the answer %j of the push service is %j', async ([answers, outcome], { service, open }) => {
  const browser = service.subscribe(keys.publicKey);
  browser.answers = answers;
  expect(await open().place(messageTo(browser.address), soon())).toMatchObject(outcome);
  expect(browser.shown).toEqual([]);
});

test('a subscription that was made for other keys is a fault of the channel', async ({ service, open }) => {
  const other = newKeys();
  const browser = service.subscribe(other.publicKey);
  const refused = { kind: 'failed', permanent: false, blame: 'channel' };
  expect(await open().place(messageTo(browser.address), soon())).toMatchObject(refused);
  const mixed = open({ publicKey: other.publicKey });
  const reason = 'the public key does not belong to the private key';
  expect(await mixed.place(messageTo(browser.address), soon())).toEqual({ ...refused, reason });
  expect(await mixed.check(soon())).toEqual({ works: false, reason });
  expect(await open().check(soon())).toEqual({ works: true });
  expect(browser.shown).toEqual([]);
});

test('a push service without a trusted certificate, or inside the machine, gets nothing', async ({
  service,
  open,
}) => {
  const browser = service.subscribe(keys.publicKey);
  const reason = 'its certificate is signed by nobody whom this server trusts';
  const notTrusted = open({ certificate: undefined });
  expect(await notTrusted.place(messageTo(browser.address), soon())).toMatchObject({
    kind: 'failed',
    reason,
  });
  const guarded = open({}, contextFor('Push', { allow: [] }));
  expect(await guarded.place(messageTo(browser.address), soon())).toMatchObject({
    kind: 'failed',
    permanent: false,
    reason: expect.stringContaining('EGRESS_ALLOW'),
  });
  expect(browser.shown).toEqual([]);
});

test('an address that is no subscription is not tried again', async ({ service, open }) => {
  const { address } = service.subscribe(keys.publicKey);
  const subscription = JSON.parse(address) as { endpoint: string; keys: { p256dh: string; auth: string } };
  const changed = (more: object) => JSON.stringify({ ...subscription, ...more });
  const { keys: own } = subscription;
  const addresses = [
    'anna',
    'null',
    '{}',
    changed({ endpoint: subscription.endpoint.replace('https', 'http') }),
    changed({ endpoint: 'https://' }),
    changed({ keys: { ...own, auth: 'short' } }),
    changed({ keys: { ...own, p256dh: own.p256dh.slice(1) } }),
    // Not a point of the curve.
    changed({ keys: { ...own, p256dh: `B${'A'.repeat(86)}` } }),
  ];
  for (const one of addresses)
    expect(await open().place(messageTo(one), soon())).toMatchObject({
      kind: 'failed',
      permanent: true,
      blame: 'recipient',
    });
});
