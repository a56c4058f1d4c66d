import { expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { hubServer } from '../testing/hub-server.fixture.ts';
import { collect, startClient } from '../testing/official-client.ts';
import {
  get,
  joinedPoll,
  joinedSocket,
  jsonHandshake,
  negotiate,
  openSocket,
  post,
} from '../testing/raw-client.ts';
import { alarmMessage } from '../testing/watch-hub.ts';

const ping = '{"type":6}\u001e';

test('a client without a handshake is closed after 15 s', async () => {
  const { url, pass, signalr } = await hubServer();
  const client = await openSocket(url);
  pass(14_000);
  expect(signalr.counts().withoutHandshake).toBe(1);
  pass(1_000);
  await client.closed;
  expect(JSON.parse(client.records[0] ?? '')).toEqual({ error: 'The handshake took too long' });
  expect(signalr.counts()).toMatchObject({ connections: 0, withoutHandshake: 0 });
});

test('a client is told that it is connected while the hub still takes it in, however long that takes', async () => {
  const { url, pass, hub } = await hubServer();
  const release = hub.holdJoins(true);
  const client = await joinedSocket(url);
  expect(client.records).toEqual(['{}']);
  pass(60_000);
  release();
  await eventually(() => hub.connections.size === 1);
  hub.push(alarmMessage(1));
  await eventually(() => client.messages().some(({ type }) => type === 1));
  expect(client.webSocket.readyState).toBe(1);
});

test('where a client begins is not known for long: it is told in time, and comes back to miss nothing', async () => {
  const { url, pass, hub } = await hubServer();
  const release = hub.holdJoins(false);
  const client = await openSocket(url);
  client.send(jsonHandshake);
  await new Promise((resolve) => setTimeout(resolve, 50));
  pass(1_000);
  expect(client.records).toEqual([]);
  pass(3_000);
  await eventually(() => client.records.length === 1);
  expect(client.records).toEqual(['{}']);
  pass(12_000);
  release();
  await client.closed;
  expect(client.messages().at(-1)).toMatchObject({ type: 7, allowReconnect: true });
});

test('a quiet connection is pinged every 15 s, and a busy one is not', async () => {
  const { url, pass, hub } = await hubServer();
  const client = await joinedSocket(url);
  await eventually(() => hub.connections.size === 1);
  pass(16_000);
  await eventually(() => client.records.length === 2);
  expect(client.messages()).toEqual([{ type: 6 }]);
  pass(10_000);
  hub.push(alarmMessage(1));
  pass(10_000);
  await eventually(() => client.records.length === 3);
  expect(client.messages()[1]).toMatchObject({ type: 1 });
});

test('a client that pings and then falls silent is given up after 30 s; one that never pinged is not', async () => {
  const { url, pass, signalr } = await hubServer();
  const pinging = await joinedSocket(url);
  const old = await joinedSocket(url);
  pinging.send(ping);
  await eventually(() => signalr.counts().received === 1);
  pass(31_000);
  await pinging.closed;
  expect(pinging.messages().at(-1)).toEqual({
    type: 7,
    error: 'The client was silent',
    allowReconnect: true,
  });
  expect(signalr.counts().connections).toBe(1);
  expect(old.webSocket.readyState).toBe(1);
});

test('a client that keeps pinging stays', async () => {
  const { url, pass, signalr } = await hubServer();
  const client = await joinedSocket(url);
  for (let pings = 1; pings <= 5; pings += 1) {
    client.send(ping);
    await eventually(() => signalr.counts().received === pings);
    pass(15_000);
  }
  expect(signalr.counts().connections).toBe(1);
});

test('a poll without news ends after 50 s, empty, and the connection goes on', async () => {
  const { url, pass, hub } = await hubServer();
  const { at } = await joinedPoll(url);
  const waiting = get(at);
  await new Promise((resolve) => setTimeout(resolve, 50));
  pass(51_000);
  const response = await waiting;
  expect([response.status, await response.text()]).toEqual([200, '']);
  hub.push(alarmMessage(4));
  expect(await (await get(at)).text()).toContain('"id":4');
});

test('a polled connection that is not polled for 15 s is gone', async () => {
  const { url, pass, hub } = await hubServer();
  const { at } = await joinedPoll(url);
  pass(14_000);
  expect(hub.left).toEqual([]);
  pass(2_000);
  await eventually(() => hub.left.length === 1);
  expect((await get(at)).status).toBe(404);
  expect((await post(at, ping)).status).toBe(404);
});

test('a connection that was only posted to is gone after 15 s', async () => {
  const { url, pass, signalr } = await hubServer();
  const { at } = await negotiate(url);
  await post(at, ping);
  expect(signalr.counts().connections).toBe(1);
  pass(16_000);
  expect(signalr.counts().connections).toBe(0);
});

test('when its token expires a client is closed without an error, and may come back', async () => {
  const { url, pass, hub } = await hubServer();
  const client = await joinedSocket(url, { authorization: `Bearer ada_${1_700_000_000_000 + 60_000}` });
  await eventually(() => hub.connections.size === 1);
  pass(59_000);
  expect(hub.left).toEqual([]);
  pass(1_000);
  expect(await client.closed).toBe(1000);
  expect(client.messages().at(-1)).toEqual({ type: 7, allowReconnect: true });
});

test('an official client comes back with a fresh token when the old one expires', async () => {
  const { url, pass, hub } = await hubServer();
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
  pass(6_000);
  await eventually(() => hub.left.length === 1 && hub.connections.size === 1, 'a second connection');
  hub.push(alarmMessage(5));
  await eventually(() => alarms.length === 1);
  expect(tokens).toBeGreaterThan(1);
});

test('a poll with a newer token that permits something else sends the client to connect again', async () => {
  const { url, hub } = await hubServer();
  const headers = { authorization: `Bearer ada_${1_700_000_000_000 + 5_000}` };
  const { at } = await negotiate(url, { headers });
  await get(at, headers);
  await post(at, '{"protocol":"json","version":1}\u001e', headers);
  hub.refuseRenewal();
  expect(await (await get(at)).text()).toContain('{"type":7,"allowReconnect":true}');
  await eventually(() => hub.left.length === 1);
});

test('a poll with a newer token keeps the connection beyond the old one', async () => {
  const { url, pass, hub } = await hubServer();
  const headers = { authorization: `Bearer ada_${1_700_000_000_000 + 5_000}` };
  const { at } = await negotiate(url, { headers });
  await get(at, headers);
  await post(at, '{"protocol":"json","version":1}\u001e', headers);
  await get(at);
  expect(hub.connections.size).toBe(1);
  pass(8_000);
  expect(hub.left).toEqual([]);
});
