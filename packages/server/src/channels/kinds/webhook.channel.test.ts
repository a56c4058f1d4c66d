import type { RequestListener } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { test as base, expect } from 'vitest';
import { type Neighbour, startNeighbour } from '../../testing/issuer.fixture.ts';
import { faultReasons } from '../network/connection-fault.ts';
import type { Lookup } from '../network/resolve-name.ts';
import { contextFor, messageTo, soon } from '../testing/messages.fixture.ts';
import { webhookKind } from './webhook.channel.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const previousSecret = Buffer.alloc(32, 8).toString('base64');

type Seen = { headers: Record<string, string>; body: string };

/** A receiver in the plant whose behaviour the test sets. */
const test = base
  .extend('seen', (): Seen[] => [])
  .extend('receiver', async ({ seen }, { onCleanup }) => {
    let behave: RequestListener = (_request, response) => response.end();
    const neighbour: Neighbour = await startNeighbour(() => (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        seen.push({
          headers: request.headers as Record<string, string>,
          body: Buffer.concat(chunks).toString(),
        });
        behave(request, response);
      });
    });
    onCleanup(neighbour.close);
    return { url: neighbour.url, seen, does: (listener: RequestListener) => (behave = listener) };
  });

const channelWith = (settings: object = { secret }, context = contextFor('Webhook')) =>
  webhookKind.create(settings, context);

test('a receiver gets the message as JSON, signed with both secrets while they change', async ({
  receiver,
}) => {
  const now = new Date();
  const channel = channelWith({ secret, previousSecret }, contextFor('Webhook', { now: () => now }));
  const message = messageTo(`${receiver.url}/alarms?site=1`);
  expect(await channel.place(message, soon())).toEqual({ kind: 'delivered', reference: message.attemptId });
  void channel.close?.();

  expect(receiver.seen).toHaveLength(1);
  const [{ headers, body }] = receiver.seen as [Seen];
  for (const one of [secret, previousSecret]) {
    expect(new Webhook(one).verify(body, headers)).toMatchObject({
      type: 'message',
      data: {
        attemptId: message.attemptId,
        text: message.text,
        alarms: [{ id: 7, priority: 1, message: 'Pump 3 fails' }],
        answerCode: '482913',
        answerLink: message.answer?.link,
      },
    });
  }
  expect(headers).toMatchObject({ 'webhook-id': message.attemptId, 'content-type': 'application/json' });
});

test.for([
  { status: 400, permanent: true, blame: 'recipient' },
  { status: 404, permanent: true, blame: 'recipient' },
  { status: 410, permanent: true, blame: 'recipient' },
  { status: 401, permanent: false, blame: 'channel' },
  { status: 408, permanent: false, blame: 'channel' },
  { status: 425, permanent: false, blame: 'channel' },
  { status: 429, permanent: false, blame: 'channel' },
  { status: 500, permanent: false, blame: 'channel' },
  { status: 503, permanent: false, blame: 'channel' },
] as const)(
  'a receiver that answers $status has not accepted it',
  async ({ status, permanent, blame }, { receiver }) => {
    receiver.does((_request, response) => response.writeHead(status).end());
    const outcome = await channelWith().place(messageTo(receiver.url), soon());
    expect(outcome).toMatchObject({ kind: 'failed', permanent, blame, reason: `HTTP ${status}` });
  },
);

test('a receiver says when it wants to be asked again', async ({ receiver }) => {
  receiver.does((_request, response) => response.writeHead(429, { 'retry-after': '17' }).end());
  expect(await channelWith().place(messageTo(receiver.url), soon())).toMatchObject({ retryAfterSeconds: 17 });
});

test('a redirect is not followed, wherever it leads', async ({ receiver }) => {
  receiver.does((_request, response) =>
    response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end(),
  );
  expect(await channelWith().place(messageTo(receiver.url), soon())).toMatchObject({
    kind: 'failed',
    permanent: true,
  });
  expect(receiver.seen).toHaveLength(1);
});

test('a receiver that takes the message and does not answer leaves the outcome unknown', async ({
  receiver,
}) => {
  receiver.does(() => undefined);
  const outcome = await channelWith().place(messageTo(receiver.url), AbortSignal.timeout(200));
  expect(outcome).toEqual({ kind: 'unknown', reason: 'no answer in time' });
  expect(receiver.seen).toHaveLength(1);
});

test('a receiver that breaks off in the middle leaves the outcome unknown', async ({ receiver }) => {
  receiver.does((request) => request.socket.destroy());
  expect(await channelWith().place(messageTo(receiver.url), soon())).toMatchObject({ kind: 'unknown' });
});

test('an endless answer is cut off and counts by its status', async ({ receiver }) => {
  let written = 0;
  receiver.does((_request, response) => {
    const more = () => {
      if (response.destroyed) return;
      written += 65_536;
      response.write(Buffer.alloc(65_536, 'a'), more);
    };
    more();
  });
  expect(await channelWith().place(messageTo(receiver.url), soon())).toMatchObject({ kind: 'delivered' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(written).toBeLessThan(20_000_000);
});

test('without a receiver the outcome is a failure, not unknown', async () => {
  const outcome = await channelWith().place(messageTo('http://127.0.0.1:1/'), soon());
  expect(outcome).toMatchObject({ kind: 'failed', permanent: false, blame: 'channel' });
});

test.for([
  (port: string) => `http://127.0.0.1:${port}/`,
  (port: string) => `http://localhost:${port}/`,
  (port: string) => `http://127.1:${port}/`,
  (port: string) => `http://0x7f000001:${port}/`,
  (port: string) => `http://2130706433:${port}/`,
  (port: string) => `http://0177.0.0.1:${port}/`,
  (port: string) => `http://0.0.0.0:${port}/`,
  (port: string) => `http://[::1]:${port}/`,
  (port: string) => `http://[::ffff:127.0.0.1]:${port}/`,
  (port: string) => `http://user:password@127.0.0.1:${port}/`,
  (port: string) => `https://127.0.0.1:${port}/`,
])(
  'a server of the machine is not reached by webhook %#, unless the installation allows it',
  async (urlOf, { receiver }) => {
    const channel = channelWith({ secret }, contextFor('Webhook', { allow: [] }));
    const outcome = await channel.place(messageTo(urlOf(new URL(receiver.url).port)), soon());
    expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringContaining('EGRESS_ALLOW') });
    expect(receiver.seen).toHaveLength(0);
  },
);

test('only http and https are spoken', async () => {
  for (const url of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'gopher://127.0.0.1/', 'nonsense']) {
    expect(await channelWith().place(messageTo(url), soon())).toMatchObject({ kind: 'failed' });
  }
});

test('a public address is not sent to without encryption', async () => {
  const channel = channelWith({ secret }, contextFor('Webhook', { allow: [] }));
  const outcome = await channel.place(messageTo('http://8.8.8.8/'), soon());
  expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringContaining('use https') });
});

/** A name server of the attacker: its first answer is public, those after it are not. */
function rebinding(asked: string[]): Lookup {
  return (hostname, _options, done) => {
    asked.push(hostname);
    const address = asked.length === 1 ? '8.8.8.8' : '127.0.0.1';
    done(null, [{ address, family: 4 }]);
  };
}

test('a name that changes from a public address to one of the machine is refused', async ({ receiver }) => {
  const asked: string[] = [];
  const { port } = new URL(receiver.url);
  const channel = channelWith({ secret }, contextFor('Webhook', { allow: [], lookup: rebinding(asked) }));
  // A check of the name beforehand would have seen a public address; the connected address counts.
  const first = await channel.place(messageTo(`https://rebind.example:${port}/`), AbortSignal.timeout(500));
  const second = await channel.place(messageTo(`https://rebind.example:${port}/`), soon());
  expect(first.kind).toBe('failed');
  expect(second).toMatchObject({ kind: 'failed', reason: faultReasons.notAllowed });
  expect(asked).toEqual(['rebind.example', 'rebind.example']);
  expect(receiver.seen).toHaveLength(0);
});

test('of a name with several addresses only those that are allowed are tried', async ({ receiver }) => {
  const lookup: Lookup = (_hostname, _options, done) =>
    done(null, [
      { address: '10.0.0.1', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]);
  const { port } = new URL(receiver.url);
  const channel = channelWith({ secret }, contextFor('Webhook', { lookup }));
  expect(await channel.place(messageTo(`http://plant.example:${port}/`), soon())).toMatchObject({
    kind: 'delivered',
  });
});

test('a name without an address fails for now, as one that is not allowed does', async () => {
  const lookup: Lookup = (hostname, _options, done) =>
    done(new Error(`getaddrinfo ENOTFOUND ${hostname}`), []);
  const channel = channelWith({ secret }, contextFor('Webhook', { lookup }));
  expect(await channel.place(messageTo('https://gone.example/'), soon())).toMatchObject({
    kind: 'failed',
    permanent: false,
    reason: faultReasons.notAllowed,
  });
});
