import { Registry } from 'prom-client';
import { expect } from 'vitest';
import { buildApp } from '../../app.ts';
import { writeApiKey } from '../../identity/api-keys/api-key.ts';
import { newSecret } from '../../identity/tokens/secret.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { addUser, test as withServer } from '../../testing/identity.fixture.ts';
import { openHub } from '../open-hub.ts';
import { bearer, upgradeStatus } from '../testing/hub.fixture.ts';

const perSecond = 4;

/** A hub that accepts four requests a second from an address; the clock stands still. */
const test = withServer.extend('hub', async ({ runtime, authenticate, clock }, { onCleanup }) => {
  const hub = await openHub(runtime, {
    authenticate,
    registry: new Registry(),
    nats: undefined,
    nodeTls: undefined,
    origins: [],
    connections: 1_000,
    connectionsPerCaller: 100,
    requestsPerSecond: perSecond,
    clock: () => clock.now().getTime(),
  });
  const app = buildApp(runtime, authenticate, { basePath: '', reference: false, hub });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  hub.start(address);
  onCleanup(async () => {
    await hub.close();
    await app.close();
  });
  return { at: address };
});

const asked = async (method: string, url: string, token: string) =>
  (await fetch(url, { method, headers: bearer(token) })).status;

const upgraded = (url: string, token: string) => upgradeStatus(`${url}access_token=${token}`);

type Request = (hub: string, token: string) => Promise<number>;
const classic = 'clientProtocol=2.1&connectionToken=invented&connectionData=[{"name":"alarmHub"}]';

/** The requests of both protocol families that need a token. */
const requests: Record<string, Request> = {
  'the negotiation of Core': (at, token) => asked('POST', `${at}/alarmHub/negotiate`, token),
  'a WebSocket of Core': (at, token) => upgraded(`${at}/alarmHub?`, token),
  'the negotiation of the classic family': (at, token) =>
    asked('GET', `${at}/signalr/negotiate?${classic}`, token),
  'a WebSocket of the classic family': (at, token) =>
    upgraded(`${at}/signalr/connect?transport=webSockets&${classic}&`, token),
  'a poll of the classic family': (at, token) =>
    asked('GET', `${at}/signalr/connect?transport=longPolling&${classic}`, token),
  'a start of the classic family': (at, token) =>
    asked('GET', `${at}/signalr/start?transport=webSockets&${classic}`, token),
  'a message of the classic family': (at, token) =>
    asked('POST', `${at}/signalr/send?transport=webSockets&${classic}`, token),
};

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const inventedKey = (id: number) => writeApiKey({ tenantId: 1, id, secret: newSecret() });
const inventedToken = (id: number) =>
  `${part({ alg: 'EdDSA', typ: 'at+jwt', kid: `invented ${id}` })}.${part({ iss: 'tocsin', jti: id })}.${newSecret()}`;

const count = 60;
const many = (make: (id: number) => string) => Array.from({ length: count }, (_, n) => make(1_000 + n));

function countReads({ database }: Runtime): () => number {
  let count = 0;
  database.pool.on('acquire', () => {
    count += 1;
  });
  return () => count;
}

test.for(Object.entries(requests))(
  'invented keys at %s are refused without a database read each',
  async ([, request], { runtime, hub }) => {
    const reads = countReads(runtime);
    const statuses = await Promise.all(many(inventedKey).map((key) => request(hub.at, key)));
    expect(statuses.filter((status) => status === 401)).toHaveLength(perSecond);
    expect(statuses.filter((status) => status === 429)).toHaveLength(count - perSecond);
    // Keys that arrive together are read together.
    const readsForKeys = reads();
    expect(readsForKeys).toBeGreaterThan(0);
    expect(readsForKeys).toBeLessThanOrEqual(perSecond);
    const tokens = await Promise.all(many(inventedToken).map((token) => request(hub.at, token)));
    expect(new Set(tokens), 'the address has used up its requests').toEqual(new Set([429]));
    expect(reads() - readsForKeys, 'for signing keys').toBeLessThanOrEqual(1);
  },
);

test('no key is read for a Core connection that does not exist', async ({ runtime, hub }) => {
  const reads = countReads(runtime);
  const ask = (method: string) => (key: string) => asked(method, `${hub.at}/alarmHub?id=invented`, key);
  const statuses = await Promise.all(
    ['GET', 'POST', 'DELETE'].flatMap((method) => many(inventedKey).map(ask(method))),
  );
  expect(new Set(statuses)).toEqual(new Set([404]));
  expect(reads()).toBe(0);
});

test('a valid key is accepted while its network sends invented keys', async ({ runtime, door, hub }) => {
  await addUser(runtime, { role: 'admin' });
  const { access_token }: { access_token: string } = (await door.logIn()).json();
  const panel = { name: 'Panel', role: 'viewer' };
  const { key }: { key: string } = (await door.post(access_token, '/apikeys', panel)).json();
  const negotiate = (token: string) => asked('POST', `${hub.at}/alarmHub/negotiate`, token);
  expect(await negotiate(key)).toBe(200);
  const flood = await Promise.all(many(inventedKey).map(negotiate));
  expect(flood).toContain(429);
  expect(await negotiate(key)).toBe(200);
  expect(await negotiate(access_token), 'a token is verified by its signature').toBe(200);
});
