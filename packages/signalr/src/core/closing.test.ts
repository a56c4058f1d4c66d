import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { hubServer } from '../testing/hub-server.fixture.ts';
import { collect, startClient } from '../testing/official-client.ts';
import {
  ada,
  connectedPoll,
  connectedSocket,
  jsonHandshake,
  negotiate,
  openSocket,
} from '../testing/raw-client.ts';
import { alarmMessage, type TestHub } from '../testing/test-hub.ts';

test.for(['WebSockets', 'ServerSentEvents', 'LongPolling'] as const)(
  'a client closed with allowReconnect reconnects: %s',
  async (transport) => {
    const { url, hub } = await hubServer();
    const client = await startClient(url, { transport, retryDelays: [0, 20, 50] });
    const alarms = collect<{ id: number }>(client, 'onAlarm');
    await client.invoke('doNothing');
    for (const connection of hub.connections) connection.close({ allowReconnect: true });
    await eventually(() => hub.disconnected.length === 1 && hub.connections.size === 1, 'its return');
    hub.push(alarmMessage(1));
    await eventually(() => alarms.length === 1);
    expect(alarms).toMatchObject([{ id: 1 }]);
  },
);

test.for(['WebSockets', 'ServerSentEvents', 'LongPolling'] as const)(
  'a client closed without allowReconnect stays closed and gets the error: %s',
  async (transport) => {
    const { url, hub } = await hubServer();
    const client = await startClient(url, { transport, retryDelays: [0, 20, 50] });
    await client.invoke('doNothing');
    const closed = new Promise<Error | undefined>((resolve) => client.onclose(resolve));
    for (const connection of hub.connections) connection.close({ error: 'Banned', allowReconnect: false });
    expect((await closed)?.message).toContain('Banned');
    expect(hub.connections.size).toBe(0);
  },
);

test('a failing onConnected closes the connection for a reconnect and is followed by onDisconnected', async () => {
  const { url, hub } = await hubServer();
  hub.onConnected = async () => {
    throw new Error('journal is not there');
  };
  const client = await connectedSocket(url);
  await client.closed;
  expect(client.messages()).toEqual([{ type: 7, error: expect.any(String), allowReconnect: true }]);
  expect(JSON.stringify(client.messages())).not.toContain('journal');
  await eventually(() => hub.disconnected.length === 1);
});

/** Holds `onConnected` until `release` is called. */
function holdConnections(hub: TestHub) {
  const { onConnected } = hub;
  const held = { connecting: 0, release: () => undefined as void };
  const released = new Promise<void>((resolve) => {
    held.release = resolve;
  });
  hub.onConnected = async (connection, options) => {
    held.connecting += 1;
    await released;
    return onConnected(connection, options);
  };
  return held;
}

test('a client gets its handshake response after onConnected', async () => {
  const { url, hub } = await hubServer();
  const held = holdConnections(hub);
  const client = await openSocket(url);
  client.send(`${jsonHandshake}{"type":1,"invocationId":"1","target":"add","arguments":[1,1]}\u001e`);
  await eventually(() => held.connecting === 1);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(client.records).toEqual([]);
  held.release();
  await eventually(() => client.records.length === 2);
  expect(client.records).toEqual(['{}', '{"type":3,"invocationId":"1","result":2}']);
});

test('messages sent during onConnected follow the handshake response', async () => {
  const { url, hub } = await hubServer();
  hub.onConnected = async (connection) => {
    connection.send(alarmMessage(1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    connection.send(alarmMessage(2));
    return '2';
  };
  const client = await connectedSocket(url);
  await eventually(() => client.records.length === 3);
  expect(client.records[0]).toBe('{}');
  expect(client.messages()).toMatchObject([{ arguments: [{ id: 1 }] }, { arguments: [{ id: 2 }] }]);
});

test('a client that leaves during onConnected is disconnected after it', async () => {
  const { url, hub } = await hubServer();
  const held = holdConnections(hub);
  const client = await openSocket(url);
  client.send(jsonHandshake);
  await eventually(() => held.connecting === 1);
  client.webSocket.terminate();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(hub.disconnected).toEqual([]);
  held.release();
  await eventually(() => hub.disconnected.length === 1);
  expect(hub.connections.size).toBe(0);
});

test('a close message of the client ends the connection', async () => {
  const { url, hub } = await hubServer();
  const client = await connectedSocket(url);
  client.send('{"type":7}\u001e');
  expect(await client.closed).toBe(1000);
  await eventually(() => hub.disconnected.length === 1);
});

test('messages to a closed connection are dropped', async () => {
  const { url, hub } = await hubServer();
  const client = await connectedSocket(url);
  await eventually(() => hub.connections.size === 1);
  const [connection] = hub.connections;
  client.webSocket.terminate();
  await eventually(() => hub.disconnected.length === 1);
  expect(connection?.isOpen).toBe(false);
  connection?.send(alarmMessage(1));
  connection?.close({ allowReconnect: true });
  expect(hub.disconnected).toHaveLength(1);
});

test('drain refuses new connections and closes the current ones for a reconnect', async () => {
  const { url, signalr } = await hubServer();
  const clients = [await connectedSocket(url), await connectedSocket(url)];
  const { at } = await connectedPoll(url);
  await eventually(() => signalr.connections().size === 3);
  await signalr.drain({ overMs: 40, sliceSize: 1 });
  for (const client of clients) {
    expect(await client.closed).toBe(1000);
    expect(client.messages().at(-1)).toEqual({ type: 7, allowReconnect: true });
  }
  expect(await (await fetch(at, { headers: ada })).text()).toContain('"allowReconnect":true');
  const refused = await fetch(`${url}/negotiate`, { method: 'POST', headers: ada });
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('1');
  await expect(openSocket(url)).rejects.toThrow('503');
});

test('streams in both directions end with the connection', async () => {
  const { url, hub } = await hubServer();
  const client = await connectedSocket(url);
  client.send('{"type":4,"invocationId":"1","target":"tick","arguments":[]}\u001e');
  client.send('{"type":1,"invocationId":"2","target":"sum","arguments":[],"streamIds":["9"]}\u001e');
  await eventually(() => hub.openStreams.count === 1);
  client.webSocket.terminate();
  await eventually(() => hub.disconnected.length === 1);
  await eventually(() => hub.openStreams.count === 0);
  expect(hub.connections.size).toBe(0);
});

test('a client stream that fails makes the invocation fail', async () => {
  const { url } = await hubServer();
  const client = await connectedSocket(url);
  client.send('{"type":1,"invocationId":"2","target":"sum","arguments":[],"streamIds":["9"]}\u001e');
  client.send(
    '{"type":2,"invocationId":"9","item":1}\u001e{"type":3,"invocationId":"9","error":"lost it"}\u001e',
  );
  await eventually(() => client.records.length === 2);
  expect(client.messages()[0]).toEqual({ type: 3, invocationId: '2', error: 'lost it' });
});

/** A connected client that stops reading. */
async function deafSocket(url: string) {
  const { at } = await negotiate(url);
  const { hostname, port, pathname, search } = new URL(at);
  const socket = connect(Number(port), hostname);
  const lines = [
    `GET ${pathname}${search} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Authorization: ${ada.authorization}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  const mask = Buffer.alloc(4);
  socket.write(
    Buffer.concat([Buffer.from([0x81, 0x80 | jsonHandshake.length]), mask, Buffer.from(jsonHandshake)]),
  );
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  return socket;
}

const bigAlarm = {
  invocations: [
    { target: 'onAlarm', argumentsJson: JSON.stringify([{ id: 1, message: 'x'.repeat(60_000) }]) },
  ],
};

test('a client that does not read is disconnected at the byte limit, and another gets every alarm', async () => {
  const { url, hub, signalr } = await hubServer();
  const deaf = await deafSocket(url);
  const client = await startClient(url);
  const alarms = collect<{ id: number }>(client, 'onAlarm');
  await eventually(() => hub.connections.size === 2);
  for (let number = 1; number <= 2_000; number += 1) {
    hub.push(number % 4 === 0 ? bigAlarm : alarmMessage(number));
    if (number % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await eventually(() => alarms.length === 2_000, 'all alarms at the other');
  expect(signalr.counts().tooSlow).toBe(1);
  expect(hub.connections.size).toBe(1);
  deaf.destroy();
});

test('a client that leaves a byte unread for 10 s is disconnected', async () => {
  const { url, hub, signalr, advance } = await hubServer({
    limits: { maxPendingBytes: 1e9, clientTimeoutIntervalMs: 1e9 },
  });
  const deaf = await deafSocket(url);
  await eventually(() => hub.connections.size === 1);
  const [connection] = hub.connections;
  await eventually(() => {
    for (let number = 0; number < 20; number += 1) hub.push(bigAlarm);
    return (connection?.pendingBytes ?? 0) > 0;
  });
  advance(10_000);
  expect(signalr.counts().tooSlow).toBe(0);
  advance(2_000);
  expect(signalr.counts().tooSlow).toBe(1);
  expect(connection?.isOpen).toBe(false);
  deaf.destroy();
});

test('a long polling client that does not poll is disconnected at the byte limit', async () => {
  const { url, hub, signalr } = await hubServer();
  await connectedPoll(url);
  await eventually(() => hub.connections.size === 1);
  for (let number = 0; number < 30; number += 1) hub.push(bigAlarm);
  expect(signalr.counts().tooSlow).toBe(1);
});
