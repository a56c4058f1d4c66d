import { expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { hubServer } from '../testing/hub-server.fixture.ts';
import { ada, connectedSocket, jsonHandshake, negotiate, openSocket } from '../testing/raw-client.ts';
import { AdmissionControl } from './admission-control.ts';
import { defaultLimits } from './limits.ts';
import { TokenBucket } from './token-bucket.ts';

const bob = { authorization: 'Bearer bob' };

test('a token bucket is emptied and refills up to its capacity', () => {
  const rateLimit = new TokenBucket(2, 3, 0);
  expect([rateLimit.take(0), rateLimit.take(0), rateLimit.take(0), rateLimit.take(0)]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(rateLimit.take(500)).toBe(true);
  expect(rateLimit.take(500)).toBe(false);
  expect(rateLimit.isFull(1_000)).toBe(false);
  expect(rateLimit.isFull(2_000)).toBe(true);
  expect([1, 2, 3, 4].map(() => rateLimit.take(60_000))).toEqual([true, true, true, false]);
});

test('a clock that goes back adds no tokens', () => {
  const rateLimit = new TokenBucket(1, 1, 1_000);
  expect(rateLimit.take(1_000)).toBe(true);
  expect(rateLimit.take(0)).toBe(false);
});

test('a removed connection makes room for another', () => {
  const admission = new AdmissionControl(
    { ...defaultLimits, maxConnectionsPerIdentity: 1, maxConnections: 2 },
    () => 0,
  );
  expect(admission.addConnection('ada')).toBeUndefined();
  expect(admission.addConnection('ada')).toMatchObject({ status: 429 });
  expect(admission.addConnection('bob')).toBeUndefined();
  expect(admission.addConnection('eve')).toMatchObject({ status: 503 });
  admission.handshakeFinished();
  admission.removeConnection('ada');
  expect(admission.addConnection('ada')).toBeUndefined();
  expect(admission).toMatchObject({ connections: 2, pendingHandshakes: 2 });
});

test('above the connection limit an upgrade is 503', async () => {
  const { url, hub } = await hubServer({ limits: { maxConnections: 2 } });
  await connectedSocket(url);
  const second = await connectedSocket(url, bob);
  await expect(openSocket(url)).rejects.toThrow('503');
  second.webSocket.terminate();
  await eventually(() => hub.disconnected.length === 1);
  await connectedSocket(url);
});

test('above the limit per user an upgrade is 429, and other users can connect', async () => {
  const { url } = await hubServer({ limits: { maxConnectionsPerIdentity: 1 } });
  await connectedSocket(url);
  await expect(openSocket(url)).rejects.toThrow('429');
  const { at } = await negotiate(url);
  expect((await fetch(at, { headers: ada })).status).toBe(429);
  await connectedSocket(url, bob);
});

test('pending handshakes above the limit refuse others until the handshake timeout', async () => {
  const { url, advance } = await hubServer({ limits: { maxPendingHandshakes: 1 } });
  await openSocket(url);
  await expect(openSocket(url, bob)).rejects.toThrow('503');
  advance(15_000);
  await connectedSocket(url, bob);
});

test('the negotiate limit of a user covers WebSockets without negotiation and no other users', async () => {
  const { url, advance } = await hubServer({ limits: { maxNegotiatesPerMinute: 2 } });
  const ask = (headers: Record<string, string>) => fetch(`${url}/negotiate`, { method: 'POST', headers });
  expect((await ask(ada)).status).toBe(200);
  await openSocket(url);
  expect((await ask(ada)).status).toBe(429);
  await expect(openSocket(url)).rejects.toThrow('429');
  expect((await ask(bob)).status).toBe(200);
  advance(30_000);
  expect((await ask(ada)).status).toBe(200);
});

test('a client above the message rate is closed', async () => {
  const { url } = await hubServer({ limits: { maxMessagesPerSecond: 10 } });
  const client = await connectedSocket(url);
  client.send('{"type":6}\u001e'.repeat(20));
  client.send('{"type":6}\u001e');
  await client.closed;
  expect(client.messages()).toEqual([{ type: 7, error: 'Too many messages' }]);
});

test('an invocation above the parallel limit gets an error', async () => {
  const { url } = await hubServer({ limits: { maxParallelInvocations: 2 } });
  const client = await connectedSocket(url);
  for (const id of [1, 2, 3]) {
    client.send(`{"type":4,"invocationId":"${id}","target":"tick","arguments":[]}\u001e`);
  }
  await eventually(() => client.records.some((record) => record.includes('Too many parallel invocations')));
  const completions = client.messages().filter(({ type }) => type === 3);
  expect(completions).toEqual([{ type: 3, invocationId: '3', error: 'Too many parallel invocations' }]);
});

test('a client stream that is faster than its reader closes the connection', async () => {
  const { url, hub } = await hubServer();
  hub.onConnected = () => new Promise(() => undefined);
  const client = await openSocket(url);
  client.send(jsonHandshake);
  client.send('{"type":1,"invocationId":"2","target":"sum","arguments":[],"streamIds":["9"]}\u001e');
  client.send('{"type":2,"invocationId":"9","item":1}\u001e'.repeat(1_001));
  await client.closed;
  expect(client.messages()).toMatchObject([{ type: 7, error: 'A client stream is faster than its reader' }]);
});
