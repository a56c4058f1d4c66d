import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { hubServer } from '../testing/hub-server.fixture.ts';
import { startLoadBalancer } from '../testing/load-balancer.fixture.ts';
import { collect, startClient } from '../testing/official-client.ts';
import { ada, get, jsonHandshake, negotiate, openSocket, post } from '../testing/raw-client.ts';
import { alarmMessage } from '../testing/test-hub.ts';
import { createConnectionTokens } from '../tokens/connection-token.ts';

/** Two nodes behind a load balancer without sticky sessions. */
async function twoNodes() {
  const one = await hubServer();
  const two = await hubServer();
  const balancer = await startLoadBalancer([one.origin, two.origin]);
  const push = (id: number) => {
    one.hub.push(alarmMessage(id));
    two.hub.push(alarmMessage(id));
  };
  return { one, two, ...balancer, push };
}

/** An address without a listener. */
async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test.for([
  ['WebSockets', 'json', {}],
  ['WebSockets', 'messagepack', {}],
  ['WebSockets', 'json', { skipNegotiation: true }],
  ['WebSockets', 'json', { stateful: true }],
  ['ServerSentEvents', 'json', {}],
  ['LongPolling', 'json', {}],
  ['LongPolling', 'messagepack', {}],
] as const)(
  'ten clients connect without sticky sessions and get every alarm: %s, %s, %o',
  async ([transport, protocol, more]) => {
    const { url, push, assigned } = await twoNodes();
    const clients = await Promise.all(
      numbers(10).map(() => startClient(url, { transport, protocol, ...more })),
    );
    const alarms = clients.map((client) => collect<{ id: number }>(client, 'onAlarm'));
    for (const id of numbers(20)) push(id);
    await eventually(() => alarms.every(({ length }) => length >= 20), 'all alarms at all');
    for (const each of alarms) expect(each.map(({ id }) => id)).toEqual(numbers(20));
    expect(await Promise.all(clients.map((client) => client.invoke('add', 20, 22)))).toEqual(
      clients.map(() => 42),
    );
    expect(new Set(assigned).size).toBe(2);
  },
);

test('a WebSocket negotiated by another node is accepted without forwarding', async () => {
  const { one, two } = await twoNodes();
  const { connectionToken, connectionId } = await negotiate(one.url);
  const client = await openSocket(`${two.url}?id=${connectionToken}`);
  client.send(jsonHandshake);
  await eventually(() => two.hub.connections.size === 1);
  expect([...two.hub.connections][0]?.id).toBe(connectionId);
  expect(two.signalr.counts()).toMatchObject({ adopted: 1, forwarded: 0 });
  expect(one.signalr.counts().connections).toBe(0);
  await expect(openSocket(`${two.url}?id=${connectionToken}`)).rejects.toThrow('409');
});

test('a WebSocket negotiated by another node is accepted only from its user', async () => {
  const { one, two } = await twoNodes();
  const { connectionToken } = await negotiate(one.url);
  const at = `${two.url}?id=${connectionToken}`;
  await expect(openSocket(at, { authorization: 'Bearer bob' })).rejects.toThrow('403');
  await expect(openSocket(at, {})).rejects.toThrow('401');
  expect((await get(at, { authorization: 'Bearer bob' })).status).toBe(403);
  expect((await get(at, {})).status).toBe(401);
});

test('a WebSocket with stateful reconnect is forwarded to its owner', async () => {
  const { one, two } = await twoNodes();
  const query = 'negotiateVersion=1&useStatefulReconnect=true';
  const { connectionToken } = await negotiate(one.url, { query });
  const at = `${two.url}?id=${connectionToken}`;
  const client = await openSocket(at);
  client.send('{"protocol":"json","version":2}\u001e');
  await eventually(() => one.hub.connections.size === 1);
  one.hub.push(alarmMessage(1));
  await eventually(() => client.records.length === 2);
  client.webSocket.terminate();
  await new Promise((resolve) => setTimeout(resolve, 50));
  one.hub.push(alarmMessage(2));
  const again = await openSocket(at);
  await eventually(() => again.records.length === 3);
  expect(again.records.map((record) => JSON.parse(record) as object)).toMatchObject([
    { type: 9, sequenceId: 1 },
    { arguments: [{ id: 1 }] },
    { arguments: [{ id: 2 }] },
  ]);
  expect(two.signalr.counts()).toMatchObject({ forwarded: 2, connections: 0 });
});

test('refusals of the owner are returned with their status', async () => {
  const { one, two } = await twoNodes();
  const { connectionToken } = await negotiate(one.url);
  const at = `${two.url}?id=${connectionToken}`;
  expect((await get(at)).status).toBe(200);
  expect((await fetch(at, { method: 'DELETE', headers: ada })).status).toBe(202);
  expect((await get(at)).status).toBe(404);
  const query = 'negotiateVersion=1&useStatefulReconnect=true';
  const stateful = await negotiate(one.url, { query });
  await get(stateful.at);
  await expect(openSocket(`${two.url}?id=${stateful.connectionToken}`)).rejects.toThrow('400');
});

test('a client that disconnects is removed at the owner', async () => {
  const { one, two } = await twoNodes();
  const { connectionToken } = await negotiate(one.url);
  const at = `${two.url}?id=${connectionToken}`;
  const leaving = new AbortController();
  const headers = { ...ada, accept: 'text/event-stream' };
  await fetch(at, { headers, signal: leaving.signal });
  await post(at, jsonHandshake);
  await eventually(() => one.hub.connections.size === 1);
  leaving.abort();
  await eventually(() => one.hub.disconnected.length === 1);
  expect(one.signalr.counts().connections).toBe(0);
});

test('a request whose owner is gone is 404, so that the client negotiates again', async () => {
  const { two } = await twoNodes();
  const token = createConnectionTokens('a secret for tests only').issue({
    generation: 'core',
    connectionId: 'x',
    ownerAddress: await deadAddress(),
    identityKey: 'ada',
    useStatefulReconnect: true,
  });
  const at = `${two.url}?id=${token}`;
  expect((await get(at)).status).toBe(404);
  expect((await post(at, jsonHandshake)).status).toBe(404);
  await expect(openSocket(at)).rejects.toThrow('404');
});

test('an owner that fails during a request gives a 502', async () => {
  const { two } = await twoNodes();
  const dying = createServer((request) => request.socket.destroy());
  await new Promise<void>((resolve) => dying.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void dying.close());
  const token = createConnectionTokens('a secret for tests only').issue({
    generation: 'core',
    connectionId: 'x',
    ownerAddress: `http://127.0.0.1:${(dying.address() as AddressInfo).port}`,
    identityKey: 'ada',
    useStatefulReconnect: true,
  });
  expect((await post(`${two.url}?id=${token}`, jsonHandshake)).status).toBe(502);
  await expect(openSocket(`${two.url}?id=${token}`)).rejects.toThrow('404');
});

test('a forwarded request is not forwarded again', async () => {
  const { one, two } = await twoNodes();
  const { connectionToken } = await negotiate(one.url);
  const at = `${two.url}?id=${connectionToken}`;
  const headers = { ...ada, 'x-signalr-forwarded': '1' };
  expect((await get(at, headers)).status).toBe(404);
  expect(two.signalr.counts().forwarded).toBe(0);
});

test('a node with another secret does not accept the token', async () => {
  const one = await hubServer();
  const other = await hubServer({ secret: 'another secret for tests' });
  const { connectionToken } = await negotiate(one.url);
  expect((await get(`${other.url}?id=${connectionToken}`)).status).toBe(404);
});
