import type { ServerResponse } from 'node:http';
import { test as base, expect } from 'vitest';
import { contextFor, messageTo, soon } from '../testing/messages.fixture.ts';
import { startReceiver } from '../testing/receiver.fixture.ts';
import { ntfyKind } from './ntfy.channel.ts';

const test = base
  .extend('started', () => startReceiver())
  .extend('server', ({ started }, { onCleanup }) => {
    onCleanup(started.close);
    return started;
  })
  .extend('open', ({ server }, { onCleanup }) => {
    const ends: (() => void)[] = [];
    onCleanup(() => {
      for (const end of ends) end();
    });
    return (settings: object = {}, context = contextFor('Push')) => {
      const channel = ntfyKind.create({ url: `${server.url}/`, ...settings }, context);
      ends.push(() => void channel.close?.());
      return channel;
    };
  });

const json = (value: object) => (response: ServerResponse) => response.end(JSON.stringify(value));

test('a telephone that follows the topic of a person gets title, text and link', async ({ server, open }) => {
  server.does(json({ id: 'sPs71M8A2T', event: 'message' }));
  const message = messageTo('anna-7h2k', { subject: 'Überlauf\r\nX-Evil: 1', text: 'Becken 3 🌊' });
  const outcome = await open({ token: 'tk_secret' }).place(message, soon());
  expect(outcome).toEqual({ kind: 'accepted', reference: 'sPs71M8A2T' });
  const [request] = server.seen;
  expect(request).toMatchObject({ method: 'POST', path: '/' });
  expect(request?.headers).toMatchObject({ authorization: 'Bearer tk_secret' });
  expect(JSON.parse(request?.body ?? '')).toEqual({
    topic: 'anna-7h2k',
    title: 'Überlauf X-Evil: 1',
    message: 'Becken 3 🌊',
    priority: 5,
    click: message.answer?.link,
  });
});

test.for([
  [[1, 3], 5],
  [[2], 4],
  [[3], 3],
  [[], 3],
] as const)(
  'alarms of the priorities %j are shown with the priority %i',
  async ([priorities, shown], { server, open }) => {
    const alarms = priorities.map((priority) => ({
      id: 1,
      attemptId: 'a',
      priority,
      message: '',
      audio: '',
    }));
    await open().place(messageTo('anna', { alarms, answer: undefined }), soon());
    expect(JSON.parse(server.seen[0]?.body ?? '')).toMatchObject({ priority: shown });
    expect(server.seen[0]?.headers).not.toHaveProperty('authorization');
  },
);

test.for([
  [
    { status: 429, headers: { 'retry-after': '3' } },
    { kind: 'notNow', retryAfterSeconds: 3 },
  ],
  [{ status: 401 }, { kind: 'failed', permanent: false, blame: 'channel', reason: 'HTTP 401' }],
  [{ status: 403 }, { kind: 'failed', permanent: false, blame: 'channel', reason: 'HTTP 403' }],
  [{ status: 413 }, { kind: 'failed', permanent: false, blame: 'channel', reason: 'HTTP 413' }],
  [{ status: 503 }, { kind: 'failed', permanent: false, blame: 'channel', reason: 'HTTP 503' }],
] as const)('the answer %j is %j', async ([{ status, ...more }, outcome], { server, open }) => {
  server.does((response) => response.writeHead(status, 'headers' in more ? more.headers : {}).end());
  expect(await open().place(messageTo('anna'), soon())).toMatchObject(outcome);
});

test.for(['', 'a/b', 'anna?x=1', 'a b', '../v1/account', 'x'.repeat(65)])(
  '"%s" is no topic, and nothing is sent',
  async (topic, { server, open }) => {
    expect(await open().place(messageTo(topic), soon())).toMatchObject({
      kind: 'failed',
      permanent: true,
      blame: 'recipient',
    });
    expect(server.seen).toEqual([]);
  },
);

test('the check asks the server for its health', async ({ server, open }) => {
  server.does(json({ healthy: true }));
  expect(await open().check(soon())).toEqual({ works: true });
  expect(server.seen[0]).toMatchObject({ method: 'GET', path: '/v1/health' });
  server.does((response) => response.writeHead(502).end());
  expect(await open().check(soon())).toEqual({ works: false, reason: 'HTTP 502' });
  expect(await open({}, contextFor('Push', { allow: [] })).check(soon())).toMatchObject({ works: false });
});
