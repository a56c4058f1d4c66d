import { Registry } from 'prom-client';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { buildApp } from '../app.ts';
import { writeApiKey } from '../identity/api-key.ts';
import { newSecret } from '../identity/secret.ts';
import type { Runtime } from '../runtime.ts';
import { addUser, test as withHouse } from '../testing/identity.fixture.ts';
import { openHub } from './open-hub.ts';

const perSecond = 4;

/** A hub that takes four requests a second from an address, while the clock stands still. */
const test = withHouse.extend('hub', async ({ runtime, authenticate, clock }, { onCleanup }) => {
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
  hub.begin(address);
  onCleanup(async () => {
    await hub.close();
    await app.close();
  });
  return { at: address };
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const asked = async (method: string, url: string, token: string) =>
  (await fetch(url, { method, headers: bearer(token) })).status;

/** The status that a WebSocket is refused with, or 101. */
function upgraded(url: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}access_token=${token}`);
    socket.on('open', () => {
      resolve(101);
      socket.terminate();
    });
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('error', reject);
  });
}

type Door = (hub: string, token: string) => Promise<number>;
const classic = 'clientProtocol=2.1&connectionToken=made-up&connectionData=[{"name":"alarmHub"}]';

/** Every way into the hub, of both families. */
const doors: Record<string, Door> = {
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
const madeUpKey = (id: number) => writeApiKey({ tenantId: 1, id, secret: newSecret() });
const madeUpToken = (id: number) =>
  `${part({ alg: 'EdDSA', typ: 'at+jwt', kid: `made-up ${id}` })}.${part({ iss: 'tocsin', jti: id })}.${newSecret()}`;

const count = 60;
const many = (make: (id: number) => string) => Array.from({ length: count }, (_, n) => make(1_000 + n));

function countLookUps({ database }: Runtime): () => number {
  let count = 0;
  database.pool.on('acquire', () => {
    count += 1;
  });
  return () => count;
}

test.for(Object.entries(doors))(
  'made-up keys at %s are refused before they cost a look-up each',
  async ([, door], { runtime, hub }) => {
    const lookUps = countLookUps(runtime);
    const statuses = await Promise.all(many(madeUpKey).map((key) => door(hub.at, key)));
    expect(statuses.filter((status) => status === 401)).toHaveLength(perSecond);
    expect(statuses.filter((status) => status === 429)).toHaveLength(count - perSecond);
    expect(lookUps()).toBe(perSecond);
    const tokens = await Promise.all(many(madeUpToken).map((token) => door(hub.at, token)));
    expect(new Set(tokens), 'the address has asked enough').toEqual(new Set([429]));
    expect(lookUps() - perSecond, 'for signing keys').toBeLessThanOrEqual(1);
  },
);

test('for a connection of Core that is not there no key is looked up', async ({ runtime, hub }) => {
  const lookUps = countLookUps(runtime);
  const ask = (method: string) => (key: string) => asked(method, `${hub.at}/alarmHub?id=made-up`, key);
  const statuses = await Promise.all(
    ['GET', 'POST', 'DELETE'].flatMap((method) => many(madeUpKey).map(ask(method))),
  );
  expect(new Set(statuses)).toEqual(new Set([404]));
  expect(lookUps()).toBe(0);
});

test('a good key gets in while its neighbour makes keys up', async ({ runtime, door, hub }) => {
  await addUser(runtime, { role: 'admin' });
  const { access_token }: { access_token: string } = (await door.logIn()).json();
  const panel = { name: 'Panel', role: 'viewer' };
  const { key }: { key: string } = (await door.post(access_token, '/apikeys', panel)).json();
  const negotiate = (token: string) => asked('POST', `${hub.at}/alarmHub/negotiate`, token);
  expect(await negotiate(key)).toBe(200);
  const flood = await Promise.all(many(madeUpKey).map(negotiate));
  expect(flood).toContain(429);
  expect(await negotiate(key)).toBe(200);
  expect(await negotiate(access_token), 'a token is known by its signature').toBe(200);
});
