import { expect, test } from 'vitest';
import { Admission, Budget, defaultLimits } from './limits.ts';
import { eventually } from './testing/eventually.ts';
import { hubServer } from './testing/hub-server.fixture.ts';
import { ada, joinedSocket, jsonHandshake, negotiate, openSocket } from './testing/raw-client.ts';

const bob = { authorization: 'Bearer bob' };

test('a budget is spent, fills again, and never beyond its most', () => {
  const budget = new Budget(2, 3, 0);
  expect([budget.take(0), budget.take(0), budget.take(0), budget.take(0)]).toEqual([true, true, true, false]);
  expect(budget.take(500)).toBe(true);
  expect(budget.take(500)).toBe(false);
  expect(budget.isFull(1_000)).toBe(false);
  expect(budget.isFull(2_000)).toBe(true);
  expect([1, 2, 3, 4].map(() => budget.take(60_000))).toEqual([true, true, true, false]);
});

test('a clock that goes back fills nothing', () => {
  const budget = new Budget(1, 1, 1_000);
  expect(budget.take(1_000)).toBe(true);
  expect(budget.take(0)).toBe(false);
});

test('who has left makes room', () => {
  const admission = new Admission({ ...defaultLimits, connectionsPerIdentity: 1, connections: 2 }, () => 0);
  expect(admission.enter('ada')).toBeUndefined();
  expect(admission.enter('ada')).toMatchObject({ status: 429 });
  expect(admission.enter('bob')).toBeUndefined();
  expect(admission.enter('eve')).toMatchObject({ status: 503 });
  admission.handshakeEnded();
  admission.leave('ada');
  expect(admission.enter('ada')).toBeUndefined();
  expect(admission).toMatchObject({ connections: 2, withoutHandshake: 2 });
});

test('beyond the connections in all it is 503, before the upgrade', async () => {
  const { url, hub } = await hubServer({ limits: { connections: 2 } });
  await joinedSocket(url);
  const second = await joinedSocket(url, bob);
  await expect(openSocket(url)).rejects.toThrow('503');
  second.webSocket.terminate();
  await eventually(() => hub.left.length === 1);
  await joinedSocket(url);
});

test('beyond the connections of one caller it is 429, and others come in', async () => {
  const { url } = await hubServer({ limits: { connectionsPerIdentity: 1 } });
  await joinedSocket(url);
  await expect(openSocket(url)).rejects.toThrow('429');
  const { at } = await negotiate(url);
  expect((await fetch(at, { headers: ada })).status).toBe(429);
  await joinedSocket(url, bob);
});

test('those who do not do their handshake keep others out only for its time', async () => {
  const { url, pass } = await hubServer({ limits: { withoutHandshake: 1 } });
  await openSocket(url);
  await expect(openSocket(url, bob)).rejects.toThrow('503');
  pass(15_000);
  await joinedSocket(url, bob);
});

test('one who negotiates too often waits, with or without negotiation; another does not', async () => {
  const { url, pass } = await hubServer({ limits: { negotiatesPerMinute: 2 } });
  const ask = (headers: Record<string, string>) => fetch(`${url}/negotiate`, { method: 'POST', headers });
  expect((await ask(ada)).status).toBe(200);
  await openSocket(url);
  expect((await ask(ada)).status).toBe(429);
  await expect(openSocket(url)).rejects.toThrow('429');
  expect((await ask(bob)).status).toBe(200);
  pass(30_000);
  expect((await ask(ada)).status).toBe(200);
});

test('a client that says too much in a second is closed', async () => {
  const { url } = await hubServer({ limits: { messagesPerSecond: 10 } });
  const client = await joinedSocket(url);
  client.send('{"type":6}\u001e'.repeat(20));
  client.send('{"type":6}\u001e');
  await client.closed;
  expect(client.messages()).toEqual([{ type: 7, error: 'Too many messages' }]);
});

test('a client that calls too much at a time is told so', async () => {
  const { url } = await hubServer({ limits: { openInvocations: 2 } });
  const client = await joinedSocket(url);
  for (const id of [1, 2, 3]) {
    client.send(`{"type":4,"invocationId":"${id}","target":"tick","arguments":[]}\u001e`);
  }
  await eventually(() => client.records.some((record) => record.includes('Too many calls')));
  const answers = client.messages().filter(({ type }) => type === 3);
  expect(answers).toEqual([{ type: 3, invocationId: '3', error: 'Too many calls at a time' }]);
});

test('a client that uploads faster than it is read is closed', async () => {
  const { url, hub } = await hubServer();
  hub.join = () => new Promise(() => undefined);
  const client = await openSocket(url);
  client.send(jsonHandshake);
  client.send('{"type":1,"invocationId":"2","target":"sum","arguments":[],"streamIds":["9"]}\u001e');
  client.send('{"type":2,"invocationId":"9","item":1}\u001e'.repeat(1_001));
  await client.closed;
  expect(client.messages()).toMatchObject([{ type: 7, error: 'A stream is faster than it is read' }]);
});
