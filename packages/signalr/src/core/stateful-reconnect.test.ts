import { expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { type HubServer, hubServer } from '../testing/hub-server.fixture.ts';
import { collect, startClient } from '../testing/official-client.ts';
import { negotiate, openSocket } from '../testing/raw-client.ts';
import { alarmMessage } from '../testing/test-hub.ts';

const stateful = 'negotiateVersion=1&useStatefulReconnect=true';
const handshake = '{"protocol":"json","version":2}\u001e';
const resetSockets = ({ sockets }: HubServer) => {
  for (const socket of sockets) socket.destroy();
};
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test.for(['json', 'messagepack'] as const)(
  'after two lost sockets during 300 alarms none is missing and none is duplicated: %s',
  async (protocol) => {
    const server = await hubServer();
    const client = await startClient(server.url, { protocol, stateful: true, retryDelays: [0, 20, 50, 100] });
    const alarms = collect<{ id: number }>(client, 'onAlarm');
    const id = await client.invoke<string>('connectionId');
    for (const number of numbers(300)) {
      server.hub.push(alarmMessage(number));
      if (number % 100 === 50) resetSockets(server);
      if (number % 10 === 0) await pause(5);
    }
    await eventually(() => alarms.length >= 300, 'all alarms');
    expect(alarms.map(({ id }) => id)).toEqual(numbers(300));
    expect(await client.invoke('connectionId'), 'the same connection').toBe(id);
    expect(server.hub.disconnected).toEqual([]);
  },
);

test('invocations survive a lost socket and run once', async () => {
  const server = await hubServer();
  const client = await startClient(server.url, { stateful: true, retryDelays: [0, 20, 50, 100] });
  expect(await client.invoke('add', 1, 1)).toBe(2);
  resetSockets(server);
  expect(await client.invoke('add', 2, 2)).toBe(4);
  const received = server.signalr.counts().received;
  expect(await client.invoke('add', 3, 3)).toBe(6);
  expect(server.signalr.counts().received).toBe(received + 1);
});

test('without stateful reconnect a lost socket ends the connection', async () => {
  const server = await hubServer();
  const client = await startClient(server.url, { retryDelays: [50, 50] });
  const alarms = collect<{ id: number }>(client, 'onAlarm');
  await client.invoke('doNothing');
  resetSockets(server);
  await eventually(() => server.hub.disconnected.length === 1);
  server.hub.push(alarmMessage(1));
  await eventually(() => server.hub.connections.size === 1);
  server.hub.push(alarmMessage(2));
  await eventually(() => alarms.length === 1);
  expect(alarms[0]?.id).toBe(2);
});

test('the new socket gets the sequence id of the first alarm that is sent again', async () => {
  const server = await hubServer();
  const { at } = await negotiate(server.url, { query: stateful });
  const first = await openSocket(at);
  first.send(handshake);
  await eventually(() => server.hub.connections.size === 1);
  for (const number of numbers(5)) server.hub.push(alarmMessage(number));
  await eventually(() => first.records.length === 6);
  first.send('{"type":8,"sequenceId":3}\u001e');
  await eventually(() => server.signalr.counts().received === 1);
  first.webSocket.terminate();
  await pause(20);
  server.hub.push(alarmMessage(6));

  const second = await openSocket(at);
  await eventually(() => second.records.length === 4);
  expect(second.records.map((record) => JSON.parse(record) as object)).toMatchObject([
    { type: 9, sequenceId: 4 },
    { arguments: [{ id: 4 }] },
    { arguments: [{ id: 5 }] },
    { arguments: [{ id: 6 }] },
  ]);
});

test('after all acks the sequence id is that of the next alarm', async () => {
  const server = await hubServer();
  const { at } = await negotiate(server.url, { query: stateful });
  const first = await openSocket(at);
  first.send(`${handshake}{"type":8,"sequenceId":0}\u001e`);
  await eventually(() => server.hub.connections.size === 1);
  server.hub.push(alarmMessage(1));
  await eventually(() => first.records.length === 2);
  first.send('{"type":8,"sequenceId":1}\u001e');
  await eventually(() => server.signalr.counts().received === 2);
  const second = await openSocket(at);
  await eventually(() => second.records.length === 1);
  expect(second.records).toEqual(['{"type":9,"sequenceId":2}']);
  expect(await first.closed, 'the first socket was replaced').toBe(1006);
});

test('messages before the sequence message and repeated messages are ignored', async () => {
  const server = await hubServer();
  const { at } = await negotiate(server.url, { query: stateful });
  const call = (id: number) => `{"type":1,"invocationId":"${id}","target":"add","arguments":[${id},0]}\u001e`;
  const first = await openSocket(at);
  first.send(handshake + call(1) + call(2));
  await eventually(() => first.records.length === 3);
  first.webSocket.terminate();
  await pause(20);
  const second = await openSocket(at);
  second.send(`${call(8)}{"type":9,"sequenceId":2}\u001e${call(2)}${call(3)}`);
  const last = '{"type":3,"invocationId":"3","result":3}';
  await eventually(() => second.records.includes(last));
  expect(second.records.filter((record) => record === last)).toHaveLength(1);
  expect(second.records.join('')).not.toContain('"invocationId":"8"');
});

test('invocations are acknowledged once, with the next heartbeat', async () => {
  const server = await hubServer();
  const { at } = await negotiate(server.url, { query: stateful });
  const client = await openSocket(at);
  client.send(`${handshake}{"type":1,"invocationId":"1","target":"add","arguments":[1,0]}\u001e`);
  await eventually(() => client.records.length === 2);
  server.advance(3_000);
  await eventually(() => client.records.length === 3);
  expect(client.records[2]).toBe('{"type":8,"sequenceId":1}');
});

test('a client that skips sequence ids is closed', async () => {
  const server = await hubServer();
  const { at } = await negotiate(server.url, { query: stateful });
  const first = await openSocket(at);
  first.send(handshake);
  await eventually(() => first.records.length === 1);
  first.webSocket.terminate();
  await pause(20);
  const second = await openSocket(at);
  second.send('{"type":9,"sequenceId":7}\u001e');
  await second.closed;
  expect(second.records.at(-1)).toContain('"type":7');
});

test('a socket that is closed normally ends the connection', async () => {
  const server = await hubServer();
  const { at } = await negotiate(server.url, { query: stateful });
  const client = await openSocket(at);
  client.send(handshake);
  await eventually(() => server.hub.connections.size === 1);
  client.webSocket.close(1000);
  await eventually(() => server.hub.disconnected.length === 1);
  await expect(openSocket(at)).rejects.toThrow('404');
});

test('a lost socket must reconnect within 15 s', async () => {
  const server = await hubServer();
  const { at } = await negotiate(server.url, { query: stateful });
  const client = await openSocket(at);
  client.send(handshake);
  await eventually(() => server.hub.connections.size === 1);
  client.webSocket.terminate();
  await pause(30);
  server.advance(14_000);
  expect(server.hub.disconnected).toEqual([]);
  server.advance(2_000);
  await eventually(() => server.hub.disconnected.length === 1);
  await expect(openSocket(at)).rejects.toThrow('404');
});

test('a full buffer ends the connection of a lost socket', async () => {
  const server = await hubServer({ limits: { statefulReconnectBufferBytes: 10_000 } });
  const { at } = await negotiate(server.url, { query: stateful });
  const client = await openSocket(at);
  client.send(handshake);
  await eventually(() => server.hub.connections.size === 1);
  client.webSocket.terminate();
  await pause(20);
  for (const number of numbers(200)) server.hub.push(alarmMessage(number));
  await eventually(() => server.hub.disconnected.length === 1);
  expect(server.signalr.counts().tooSlow).toBe(1);
});
