import { expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { hubServer } from '../testing/hub-server.fixture.ts';
import { collect, startClient } from '../testing/official-client.ts';
import {
  connectedPoll,
  connectedSocket,
  get,
  jsonHandshake,
  negotiate,
  openSocket,
  post,
} from '../testing/raw-client.ts';
import { alarmMessage } from '../testing/test-hub.ts';

const ping = '{"type":6}\u001e';

test('a client without a handshake is closed after 15 s', async () => {
  const { url, advance, signalr } = await hubServer();
  const client = await openSocket(url);
  advance(14_000);
  expect(signalr.counts().pendingHandshakes).toBe(1);
  advance(1_000);
  await client.closed;
  expect(JSON.parse(client.records[0] ?? '')).toEqual({ error: 'The handshake took too long' });
  expect(signalr.counts()).toMatchObject({ connections: 0, pendingHandshakes: 0 });
});

test('a ready hub completes the handshake while onConnected is still running', async () => {
  const { url, advance, hub } = await hubServer();
  const release = hub.holdConnections(true);
  const client = await connectedSocket(url);
  expect(client.records).toEqual(['{}']);
  advance(60_000);
  release();
  await eventually(() => hub.connections.size === 1);
  hub.push(alarmMessage(1));
  await eventually(() => client.messages().some(({ type }) => type === 1));
  expect(client.webSocket.readyState).toBe(1);
});

test('a hub that is not ready in time completes the handshake and closes the client for a reconnect', async () => {
  const { url, advance, hub } = await hubServer();
  const release = hub.holdConnections(false);
  const client = await openSocket(url);
  client.send(jsonHandshake);
  await new Promise((resolve) => setTimeout(resolve, 50));
  advance(1_000);
  expect(client.records).toEqual([]);
  advance(3_000);
  await eventually(() => client.records.length === 1);
  expect(client.records).toEqual(['{}']);
  advance(12_000);
  release();
  await client.closed;
  expect(client.messages().at(-1)).toMatchObject({ type: 7, allowReconnect: true });
});

test('an idle connection gets a ping every 15 s, and a busy one does not', async () => {
  const { url, advance, hub } = await hubServer();
  const client = await connectedSocket(url);
  await eventually(() => hub.connections.size === 1);
  advance(16_000);
  await eventually(() => client.records.length === 2);
  expect(client.messages()).toEqual([{ type: 6 }]);
  advance(10_000);
  hub.push(alarmMessage(1));
  advance(10_000);
  await eventually(() => client.records.length === 3);
  expect(client.messages()[1]).toMatchObject({ type: 1 });
});

test('a client that stops pinging is closed after 30 s, and one that never pinged is not', async () => {
  const { url, advance, signalr } = await hubServer();
  const pinging = await connectedSocket(url);
  const old = await connectedSocket(url);
  pinging.send(ping);
  await eventually(() => signalr.counts().received === 1);
  advance(31_000);
  await pinging.closed;
  expect(pinging.messages().at(-1)).toEqual({
    type: 7,
    error: 'The client timed out',
    allowReconnect: true,
  });
  expect(signalr.counts().connections).toBe(1);
  expect(old.webSocket.readyState).toBe(1);
});

test('a client that keeps pinging stays connected', async () => {
  const { url, advance, signalr } = await hubServer();
  const client = await connectedSocket(url);
  for (let pings = 1; pings <= 5; pings += 1) {
    client.send(ping);
    await eventually(() => signalr.counts().received === pings);
    advance(15_000);
  }
  expect(signalr.counts().connections).toBe(1);
});

test('a poll without messages ends after 50 s, and the connection stays open', async () => {
  const { url, advance, hub } = await hubServer();
  const { at } = await connectedPoll(url);
  const waiting = get(at);
  await new Promise((resolve) => setTimeout(resolve, 50));
  advance(51_000);
  const response = await waiting;
  expect([response.status, await response.text()]).toEqual([200, '']);
  hub.push(alarmMessage(4));
  expect(await (await get(at)).text()).toContain('"id":4');
});

test('a long polling connection without a poll is removed after 15 s', async () => {
  const { url, advance, hub } = await hubServer();
  const { at } = await connectedPoll(url);
  advance(14_000);
  expect(hub.disconnected).toEqual([]);
  advance(2_000);
  await eventually(() => hub.disconnected.length === 1);
  expect((await get(at)).status).toBe(404);
  expect((await post(at, ping)).status).toBe(404);
});

test('a connection that has only posts is removed after 15 s', async () => {
  const { url, advance, signalr } = await hubServer();
  const { at } = await negotiate(url);
  await post(at, ping);
  expect(signalr.counts().connections).toBe(1);
  advance(16_000);
  expect(signalr.counts().connections).toBe(0);
});

test('a client whose token expires is closed without an error and may reconnect', async () => {
  const { url, advance, hub } = await hubServer();
  const client = await connectedSocket(url, { authorization: `Bearer ada_${1_700_000_000_000 + 60_000}` });
  await eventually(() => hub.connections.size === 1);
  advance(59_000);
  expect(hub.disconnected).toEqual([]);
  advance(1_000);
  expect(await client.closed).toBe(1000);
  expect(client.messages().at(-1)).toEqual({ type: 7, allowReconnect: true });
});

test('the official client reconnects with a new token when the old one expires', async () => {
  const { url, advance, hub } = await hubServer();
  let tokens = 0;
  const accessTokenFactory = () => {
    tokens += 1;
    return tokens <= 1 ? `ada_${1_700_000_000_000 + 5_000}` : 'ada';
  };
  const client = await startClient(url, {
    http: { accessTokenFactory, headers: {} },
    skipNegotiation: true,
    retryDelays: [0, 50, 50],
  });
  const alarms = collect<{ id: number }>(client, 'onAlarm');
  await eventually(() => hub.connections.size === 1);
  advance(6_000);
  await eventually(() => hub.disconnected.length === 1 && hub.connections.size === 1, 'a second connection');
  hub.push(alarmMessage(5));
  await eventually(() => alarms.length === 1);
  expect(tokens).toBeGreaterThan(1);
});

test('a poll with a renewed token of other permissions closes the connection for a reconnect', async () => {
  const { url, hub } = await hubServer();
  const headers = { authorization: `Bearer ada_${1_700_000_000_000 + 5_000}` };
  const { at } = await negotiate(url, { headers });
  await get(at, headers);
  await post(at, '{"protocol":"json","version":1}\u001e', headers);
  hub.refuseRenewal();
  expect(await (await get(at)).text()).toContain('{"type":7,"allowReconnect":true}');
  await eventually(() => hub.disconnected.length === 1);
});

test('a poll with a renewed token keeps the connection open', async () => {
  const { url, advance, hub } = await hubServer();
  const headers = { authorization: `Bearer ada_${1_700_000_000_000 + 5_000}` };
  const { at } = await negotiate(url, { headers });
  await get(at, headers);
  await post(at, '{"protocol":"json","version":1}\u001e', headers);
  await get(at);
  expect(hub.connections.size).toBe(1);
  advance(8_000);
  expect(hub.disconnected).toEqual([]);
});
