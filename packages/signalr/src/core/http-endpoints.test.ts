import { request } from 'node:http';
import { expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { hubServer } from '../testing/hub-server.fixture.ts';
import {
  ada,
  connectedPoll,
  get,
  jsonHandshake,
  negotiate,
  openSocket,
  post,
} from '../testing/raw-client.ts';
import { alarmMessage } from '../testing/test-hub.ts';

const bob = { authorization: 'Bearer bob' };
const asStream = { ...ada, accept: 'text/event-stream' };

/** Opens an event stream and collects its text. */
async function openStream(at: string) {
  const stop = new AbortController();
  const response = await fetch(at, { headers: asStream, signal: stop.signal });
  const chunks: string[] = [];
  const reading = (async () => {
    for await (const chunk of response.body ?? []) chunks.push(Buffer.from(chunk).toString());
  })().catch(() => undefined);
  return { response, text: () => chunks.join(''), stop: () => stop.abort(), reading };
}

test('requests without an id are 400', async () => {
  const { url } = await hubServer();
  expect((await get(url)).status).toBe(400);
  expect((await get(url, asStream)).status).toBe(400);
  expect((await post(url, 'x')).status).toBe(400);
  expect((await fetch(url, { method: 'DELETE', headers: ada })).status).toBe(400);
});

test.for(['nonsense', 'A'.repeat(120), 'A'.repeat(20_000), '%00'])(
  'an invalid connection token is 404: %s',
  async (id) => {
    const { url } = await hubServer();
    const at = `${url}?id=${id.slice(0, 9_000)}`;
    expect((await get(at)).status).toBe(404);
    expect((await get(at, asStream)).status).toBe(404);
    expect((await post(at, 'x')).status).toBe(404);
    expect((await fetch(at, { method: 'DELETE', headers: ada })).status).toBe(404);
    await expect(openSocket(at)).rejects.toThrow('404');
  },
);

test('a token with one changed letter is 404', async () => {
  const { url } = await hubServer();
  const { connectionToken } = await negotiate(url);
  const changed = (connectionToken.startsWith('A') ? 'B' : 'A') + connectionToken.slice(1);
  expect((await get(`${url}?id=${changed}`)).status).toBe(404);
});

test.for(['PUT', 'PATCH', 'HEAD'])('another method is 405: %s', async (method) => {
  const { url } = await hubServer();
  expect((await fetch(url, { method, headers: ada })).status).toBe(405);
});

test('another path is 404, also for upgrades', async () => {
  const { url } = await hubServer();
  expect((await get(`${url}/unknown`)).status).toBe(404);
  await expect(openSocket(`${url}/unknown`)).rejects.toThrow('404');
});

test('a connection can be used only by the user who negotiated it', async () => {
  const { url } = await hubServer();
  const { at } = await negotiate(url);
  expect((await get(at, bob)).status).toBe(403);
  expect((await post(at, jsonHandshake, bob)).status).toBe(403);
  await expect(openSocket(at, bob)).rejects.toThrow('403');
  expect((await get(at, {})).status).toBe(401);
  await expect(openSocket(at, {})).rejects.toThrow('401');
  expect((await get(at)).status).toBe(200);
});

test('a second WebSocket of a connection is 409, and the first stays open', async () => {
  const { url, signalr } = await hubServer();
  const { at } = await negotiate(url);
  const first = await openSocket(at);
  await expect(openSocket(at)).rejects.toThrow('409');
  first.send(jsonHandshake);
  await eventually(() => signalr.connections().size === 1);
});

test('a connection with a WebSocket refuses posts, polls and event streams', async () => {
  const { url } = await hubServer();
  const { at } = await negotiate(url);
  await openSocket(at);
  expect((await post(at, 'x')).status).toBe(405);
  expect((await get(at)).status).toBe(400);
  expect((await get(at, asStream)).status).toBe(400);
  expect((await fetch(at, { method: 'DELETE', headers: ada })).status).toBe(400);
});

test('a connection with an event stream accepts posts, but no second stream, poll or WebSocket', async () => {
  const { url } = await hubServer();
  const { at } = await negotiate(url);
  const stream = await openStream(at);
  expect((await get(at, asStream)).status).toBe(409);
  expect((await get(at)).status).toBe(400);
  expect((await fetch(at, { method: 'DELETE', headers: ada })).status).toBe(400);
  await expect(openSocket(at)).rejects.toThrow('400');
  expect((await post(at, jsonHandshake)).status).toBe(200);
  await eventually(() => stream.text().includes('{}'));
  stream.stop();
});

test('an event stream starts at once, disables buffering, and ends lines with CRLF', async () => {
  const { url, hub } = await hubServer();
  const { at } = await negotiate(url);
  const stream = await openStream(at);
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
  expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
  expect(stream.response.headers.get('cache-control')).toContain('no-cache');
  await post(at, jsonHandshake);
  await eventually(() => hub.connections.size === 1);
  const [call] = alarmMessage(7).invocations;
  hub.push({ invocations: [{ target: 'onAlarm', argumentsJson: `[{\n"id": 7\r\n}]` }] });
  await eventually(() => stream.text().includes('7'));
  expect(call?.target).toBe('onAlarm');
  expect(stream.text()).toBe(
    ':\r\ndata: {}\u001e\r\n\r\n' +
      'data: {"type":1,"target":"onAlarm","arguments":[{\r\ndata: "id": 7\r\ndata: }]}\u001e\r\n\r\n',
  );
  stream.stop();
  await eventually(() => hub.disconnected.length === 1, 'the end of the connection with its stream');
});

test('the first poll is empty, later ones return messages, and the last is 204', async () => {
  const { url, hub } = await hubServer();
  const { at } = await negotiate(url);
  const first = await get(at);
  expect([first.status, await first.text()]).toEqual([200, '']);
  expect(first.headers.get('cache-control')).toContain('no-store');
  expect((await post(at, jsonHandshake)).status).toBe(200);
  expect(await (await get(at)).text()).toBe('{}\u001e');
  hub.push(alarmMessage(1));
  hub.push(alarmMessage(2));
  const both = await (await get(at)).text();
  expect(
    both
      .split('\u001e')
      .slice(0, -1)
      .map((record) => JSON.parse(record)),
  ).toMatchObject([{ arguments: [{ id: 1 }] }, { arguments: [{ id: 2 }] }]);
  const [connection] = hub.connections;
  connection?.close({ allowReconnect: true });
  expect(await (await get(at)).text()).toBe('{"type":7,"allowReconnect":true}\u001e');
  expect((await get(at)).status).toBe(204);
  expect((await get(at)).status).toBe(404);
});

test('a second poll ends the first with 204 and gets the next alarm', async () => {
  const { url, hub } = await hubServer();
  const { at } = await connectedPoll(url);
  const earlier = get(at);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const later = get(at);
  expect((await earlier).status).toBe(204);
  hub.push(alarmMessage(3));
  expect(await (await later).text()).toContain('"id":3');
});

test('messages posted before the first poll are kept', async () => {
  const { url, hub } = await hubServer();
  const { at } = await negotiate(url);
  expect((await post(at, jsonHandshake)).status).toBe(200);
  expect(hub.connections.size).toBe(0);
  expect(await (await get(at)).text()).toBe('');
  expect(await (await get(at)).text()).toBe('{}\u001e');
  expect(hub.connections.size).toBe(1);
});

test('more than the body limit before the transport is refused', async () => {
  const { url } = await hubServer({ limits: { maxRequestBodyBytes: 1_000 } });
  const { at } = await negotiate(url);
  expect((await post(at, 'x'.repeat(900))).status).toBe(200);
  expect((await post(at, 'x'.repeat(900))).status).toBe(413);
});

test('a body that is too large is 413, with and without a content length', async () => {
  const { url } = await hubServer({ limits: { maxRequestBodyBytes: 1_000 } });
  const { at } = await connectedPoll(url);
  expect((await post(at, 'x'.repeat(1_001))).status).toBe(413);
});

test('DELETE ends a long polling connection with 202 and its poll with 204', async () => {
  const { url, hub } = await hubServer();
  const { at } = await connectedPoll(url);
  const waiting = get(at);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await fetch(at, { method: 'DELETE', headers: ada })).status).toBe(202);
  expect((await waiting).status).toBe(204);
  expect((await get(at)).status).toBe(404);
  await eventually(() => hub.disconnected.length === 1);
});

test('a revoked token is refused at the next poll', async () => {
  const { url } = await hubServer();
  const { at } = await connectedPoll(url);
  expect((await get(at, { authorization: 'Bearer revoked' })).status).toBe(401);
});

test('a failing authenticate function refuses the request', async () => {
  const { url } = await hubServer({
    authenticate: async () => {
      throw new Error('database down');
    },
  });
  const response = await fetch(`${url}/negotiate`, { method: 'POST' });
  expect(response.status).toBe(503);
  expect(await response.text()).not.toContain('database');
  await expect(openSocket(url)).rejects.toThrow('503');
});

test('an invalid upgrade gets a response and leaves no connection', async () => {
  const { url, signalr } = await hubServer();
  const status = await new Promise((resolve, reject) => {
    const headers = { ...ada, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'short' };
    request(url, { headers })
      .on('response', ({ statusCode }) => resolve(statusCode))
      .on('error', reject)
      .end();
  });
  expect(status).toBe(400);
  expect(signalr.counts()).toMatchObject({ connections: 0, pendingHandshakes: 0 });
});
