import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { hubServer } from '../testing/hub-server.fixture.ts';
import { collect, startClient } from '../testing/official-client.ts';
import {
  ada,
  joinedPoll,
  joinedSocket,
  jsonHandshake,
  negotiate,
  openSocket,
} from '../testing/raw-client.ts';
import { alarmMessage, type WatchHub } from '../testing/watch-hub.ts';

test.for(['WebSockets', 'ServerSentEvents', 'LongPolling'] as const)(
  'a client that is sent away with leave to return comes back by itself: %s',
  async (transport) => {
    const { url, hub } = await hubServer();
    const client = await startClient(url, { transport, retryDelays: [0, 20, 50] });
    const alarms = collect<{ id: number }>(client, 'onAlarm');
    await client.invoke('doNothing');
    for (const connection of hub.connections) connection.close({ allowReconnect: true });
    await eventually(() => hub.left.length === 1 && hub.connections.size === 1, 'its return');
    hub.push(alarmMessage(1));
    await eventually(() => alarms.length === 1);
    expect(alarms).toMatchObject([{ id: 1 }]);
  },
);

test.for(['WebSockets', 'ServerSentEvents', 'LongPolling'] as const)(
  'a client that is sent away for good stays away, and knows why: %s',
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

test('a hub that cannot take a client in sends it away to try again, and still lets it go', async () => {
  const { url, hub } = await hubServer();
  hub.join = async () => {
    throw new Error('journal is not there');
  };
  const client = await joinedSocket(url);
  await client.closed;
  expect(client.messages()).toEqual([{ type: 7, error: expect.any(String), allowReconnect: true }]);
  expect(JSON.stringify(client.messages())).not.toContain('journal');
  await eventually(() => hub.left.length === 1);
});

/** Lets clients in when told. */
function holdJoins(hub: WatchHub) {
  const { join } = hub;
  const held = { joining: 0, release: () => undefined as void };
  const released = new Promise<void>((resolve) => {
    held.release = resolve;
  });
  hub.join = async (connection, how) => {
    held.joining += 1;
    await released;
    return join(connection, how);
  };
  return held;
}

test('a client is connected when the hub has taken it in, and not before', async () => {
  const { url, hub } = await hubServer();
  const held = holdJoins(hub);
  const client = await openSocket(url);
  client.send(`${jsonHandshake}{"type":1,"invocationId":"1","target":"add","arguments":[1,1]}\u001e`);
  await eventually(() => held.joining === 1);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(client.records).toEqual([]);
  held.release();
  await eventually(() => client.records.length === 2);
  expect(client.records).toEqual(['{}', '{"type":3,"invocationId":"1","result":2}']);
});

test('what a hub sends while it takes a client in comes after the handshake', async () => {
  const { url, hub } = await hubServer();
  hub.join = async (connection) => {
    connection.send(alarmMessage(1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    connection.send(alarmMessage(2));
    return '2';
  };
  const client = await joinedSocket(url);
  await eventually(() => client.records.length === 3);
  expect(client.records[0]).toBe('{}');
  expect(client.messages()).toMatchObject([{ arguments: [{ id: 1 }] }, { arguments: [{ id: 2 }] }]);
});

test('a client that goes while it is taken in is let go after that', async () => {
  const { url, hub } = await hubServer();
  const held = holdJoins(hub);
  const client = await openSocket(url);
  client.send(jsonHandshake);
  await eventually(() => held.joining === 1);
  client.webSocket.terminate();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(hub.left).toEqual([]);
  held.release();
  await eventually(() => hub.left.length === 1);
  expect(hub.connections.size).toBe(0);
});

test('a client may say goodbye', async () => {
  const { url, hub } = await hubServer();
  const client = await joinedSocket(url);
  client.send('{"type":7}\u001e');
  expect(await client.closed).toBe(1000);
  await eventually(() => hub.left.length === 1);
});

test('what is sent to a client that is gone is dropped', async () => {
  const { url, hub } = await hubServer();
  const client = await joinedSocket(url);
  await eventually(() => hub.connections.size === 1);
  const [connection] = hub.connections;
  client.webSocket.terminate();
  await eventually(() => hub.left.length === 1);
  expect(connection?.isOpen).toBe(false);
  connection?.send(alarmMessage(1));
  connection?.close({ allowReconnect: true });
  expect(hub.left).toHaveLength(1);
});

test('drained: nobody new comes in, and all are sent to come back elsewhere', async () => {
  const { url, signalr } = await hubServer();
  const clients = [await joinedSocket(url), await joinedSocket(url)];
  const { at } = await joinedPoll(url);
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

test('streams and uploads of a client end with it', async () => {
  const { url, hub } = await hubServer();
  const client = await joinedSocket(url);
  client.send('{"type":4,"invocationId":"1","target":"tick","arguments":[]}\u001e');
  client.send('{"type":1,"invocationId":"2","target":"sum","arguments":[],"streamIds":["9"]}\u001e');
  await eventually(() => hub.openStreams.count === 1);
  client.webSocket.terminate();
  await eventually(() => hub.left.length === 1);
  await eventually(() => hub.openStreams.count === 0);
  expect(hub.connections.size).toBe(0);
});

test('an upload that fails at the client fails the call', async () => {
  const { url } = await hubServer();
  const client = await joinedSocket(url);
  client.send('{"type":1,"invocationId":"2","target":"sum","arguments":[],"streamIds":["9"]}\u001e');
  client.send(
    '{"type":2,"invocationId":"9","item":1}\u001e{"type":3,"invocationId":"9","error":"lost it"}\u001e',
  );
  await eventually(() => client.records.length === 2);
  expect(client.messages()[0]).toEqual({ type: 3, invocationId: '2', error: 'lost it' });
});

/** A client that has joined and reads no more. */
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
  calls: [{ target: 'onAlarm', argumentsJson: JSON.stringify([{ id: 1, message: 'x'.repeat(60_000) }]) }],
};

test('a client that does not read is cut at its limit of bytes; another gets every alarm', async () => {
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

test('a client that leaves a byte unread for 10 s is cut', async () => {
  const { url, hub, signalr, pass } = await hubServer({
    limits: { pendingBytes: 1e9, clientTimeoutMs: 1e9 },
  });
  const deaf = await deafSocket(url);
  await eventually(() => hub.connections.size === 1);
  const [connection] = hub.connections;
  await eventually(() => {
    for (let number = 0; number < 20; number += 1) hub.push(bigAlarm);
    return (connection?.pendingBytes ?? 0) > 0;
  });
  pass(10_000);
  expect(signalr.counts().tooSlow).toBe(0);
  pass(2_000);
  expect(signalr.counts().tooSlow).toBe(1);
  expect(connection?.isOpen).toBe(false);
  deaf.destroy();
});

test('a polled client that does not poll is cut at its limit of bytes', async () => {
  const { url, hub, signalr } = await hubServer();
  await joinedPoll(url);
  await eventually(() => hub.connections.size === 1);
  for (let number = 0; number < 30; number += 1) hub.push(bigAlarm);
  expect(signalr.counts().tooSlow).toBe(1);
});
