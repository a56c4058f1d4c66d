import { setTimeout as sleep } from 'node:timers/promises';
import { HttpTransportType, HubConnectionState } from '@microsoft/signalr';
import pg from 'pg';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import type { RunningServer } from '../serve.ts';
import { type Caller, hire, type Listener, listen, logIn, settle, test } from './hub.fixture.ts';

/** How a request to the hub is answered, without following the protocol any further. */
async function negotiate(
  { url }: RunningServer,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> },
): Promise<number> {
  return (await fetch(`${url}/alarmHub/negotiate${query}`, { method: 'POST', headers })).status;
}

/** The status that a WebSocket is refused with, or 101. */
function upgrade(address: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address.replace('http', 'ws'), { headers });
    socket.on('open', () => resolve(101));
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('error', reject);
    socket.on('open', () => socket.terminate());
  });
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test('nobody comes in without a token, and a token in the query is one', async ({ server, admin }) => {
  const { token } = admin;
  expect(await negotiate(server, {})).toBe(401);
  expect(await negotiate(server, { headers: bearer('forged') })).toBe(401);
  expect(await negotiate(server, { headers: { authorization: 'Basic eHh4' } })).toBe(401);
  expect(await negotiate(server, { headers: bearer(token) })).toBe(200);
  expect(await negotiate(server, { query: `?access_token=${token}` })).toBe(200);
  const both = `?access_token=${token}`;
  expect(await negotiate(server, { headers: bearer(token), query: both })).toBe(200);
  expect(await negotiate(server, { headers: bearer('other'), query: both })).toBe(400);
  expect(await negotiate(server, { query: `${both}&access_token=other` })).toBe(401);
  const elsewhere = await fetch(`${server.url}/api/v1/alarms?access_token=${token}`);
  expect(elsewhere.status, 'only the hub reads the query').toBe(401);
});

test('a WebSocket is refused before it is one', async ({ server, admin }) => {
  const { url } = server;
  const { token } = admin;
  expect(await upgrade(`${url}/alarmHub`)).toBe(401);
  expect(await upgrade(`${url}/alarmHub?access_token=forged`)).toBe(401);
  expect(await upgrade(`${url}/alarmHub?access_token=${token}&id=unknown`)).toBe(404);
  expect(await upgrade(`${url}/alarmHub?access_token=${token}`)).toBe(101);
  expect(await upgrade(`${url}/alarmHub`, bearer(token))).toBe(101);
  expect(await upgrade(`${url}/signalr/alarmHub`, bearer(token))).toBe(101);
  expect(await upgrade(`${url}/ALARMHUB/`, bearer(token)), 'in any case').toBe(101);
  expect(await upgrade(`${url}/ALARMHUB`), 'in any case').toBe(401);
  expect(await upgrade(`${url}/alarmHub/nothing`, bearer(token))).toBe(404);
  expect(await upgrade(`${url}/api/v1/alarms`, bearer(token)), 'as if it had not asked').toBe(200);
});

test('a path in another case leads to the hub, not to a server that is not ready', async ({
  server,
  admin,
}) => {
  const headers = bearer(admin.token);
  for (const path of ['/ALARMHUB/Negotiate', '/alarmhub/negotiate/', '/SignalR/AlarmHub/negotiate']) {
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers });
    expect(answer.status, path).toBe(200);
  }
  expect((await fetch(`${server.url}/SIGNALR/HUBS/`)).status).toBe(200);
});

test('pages of other origins are kept out, those of the list and of the server itself are not', async ({
  site,
}) => {
  const server = await site.start({ allowedOrigins: ['https://console.example'] });
  const { token } = await logIn(server);
  const from = (origin: string) => upgrade(`${server.url}/alarmHub`, { ...bearer(token), origin });
  expect(await from('https://evil.example')).toBe(403);
  expect(await from('null')).toBe(403);
  expect(await from('https://console.example')).toBe(101);
  expect(await from(server.url)).toBe(101);
  const evil = { ...bearer(token), origin: 'https://evil.example' };
  expect(await negotiate(server, { headers: evil })).toBe(403);
});

test('a key that may not read alarms may not hear of them', async ({ server, admin }) => {
  const { key } = await admin.post<{ key: string }>('/apikeys', {
    name: 'PLC',
    role: 'machine',
    scopes: ['alarms:raise'],
  });
  expect(await negotiate(server, { headers: bearer(key) })).toBe(403);
});

test('nobody hears of alarms of other stations', async ({ server, admin }) => {
  const north = await admin.post<number>('/stations', { name: 'North' });
  const guard = await hire(server, admin, { username: 'guard', stationIds: [north] });
  const listener = await listen(server, guard.token);
  await listener.subscribe({ changes: true });
  await admin.raise('south/1');
  const id = await admin.raise('north/1', { stationId: north });
  await admin.raise('south/2');
  await admin.post(`/alarms/${id}/acknowledge`);
  await settle();
  expect(listener.paths()).toEqual(['north/1']);
  expect(listener.changes.map(({ kind }) => kind)).toEqual(['raised', 'acknowledged']);
  await listener.resume(0);
  expect(listener.changes.every(({ alarm }) => alarm.path === 'north/1')).toBe(true);
});

test('nobody hears of alarms of another tenant', async ({ site, server, admin }) => {
  const brenner = await site.addTenant(server, 'Brenner Gas', 'brenner');
  const [own, other] = await Promise.all([listen(server, admin.token), listen(server, brenner.token)]);
  await admin.raise('valmont/1');
  await brenner.raise('brenner/1');
  await expect.poll(() => other.paths()).toEqual(['brenner/1']);
  await other.resume(0);
  await settle();
  expect(own.paths()).toEqual(['valmont/1']);
  expect(other.paths()).toEqual(['brenner/1']);
  expect(other.changes.map(({ alarm }) => alarm.path)).toEqual(['brenner/1']);
});

/** Ways in which a token ends; each within five seconds after which nothing more is heard. */
const endings: Record<
  string,
  (parts: { admin: Caller; own: Caller & { userId: number } }) => Promise<unknown>
> = {
  'its user logs out': ({ own }) => own.post('/auth/logout'),
  'its user is disabled': async ({ admin, own }) => {
    const user = await admin.get<object>(`/users/${own.userId}`);
    await admin.put(`/users/${own.userId}`, { ...user, enabled: false });
  },
  'its user is deleted': ({ admin, own }) => admin.delete(`/users/${own.userId}`),
};

async function expectSilence(listener: Listener, admin: Caller, since: number): Promise<void> {
  const reason = await listener.closed;
  expect(performance.now() - since).toBeLessThan(5_000);
  expect(reason?.message).toMatch(/revoked/);
  await admin.raise('after the end');
  await settle();
  expect(listener.paths()).not.toContain('after the end');
}

test.for(Object.keys(endings))('a connection ends when %s', async (ending, { server, admin }) => {
  const own = await hire(server, admin, { username: 'guard' });
  const listener = await listen(server, own.token);
  await admin.raise('before the end');
  await expect.poll(() => listener.paths()).toEqual(['before the end']);
  const since = performance.now();
  await endings[ending]?.({ admin, own });
  await expectSilence(listener, admin, since);
  const late = await listen(server, own.token).catch((error: Error) => error.message);
  // Another connection may be let in by what was known a moment ago; it is not told anything.
  if (typeof late !== 'string') await expect(late.closed).resolves.toBeDefined();
});

test('a connection ends when its key is revoked', async ({ server, admin }) => {
  const made = await admin.post<{ id: number; key: string }>('/apikeys', { name: 'Panel', role: 'viewer' });
  const listener = await listen(server, made.key, HttpTransportType.LongPolling);
  const since = performance.now();
  await admin.delete(`/apikeys/${made.id}`);
  await expectSilence(listener, admin, since);
});

test('a connection ends with its key, and its client may come back with another', async ({
  server,
  admin,
}) => {
  const expiresAt = new Date(Date.now() + 2_000).toISOString();
  const { key } = await admin.post<{ key: string }>('/apikeys', { name: 'Panel', role: 'viewer', expiresAt });
  const listener = await listen(server, key);
  const since = performance.now();
  await listener.closed;
  expect(performance.now() - since).toBeLessThan(2_000 + 5_000);
  await admin.raise('after the end');
  await settle();
  expect(listener.paths()).toEqual([]);
});

test('whose rights change is sent away, and let in again with the new ones', async ({
  site,
  server,
  admin,
}) => {
  const north = await admin.post<number>('/stations', { name: 'North' });
  const guard = await hire(server, admin, { username: 'guard', stationIds: [1] });
  const listener = await listen(server, guard.token);
  await asOwner(site.databaseUrl, `update users set station_ids = '{${north}}' where id = ${guard.userId}`);
  expect(await listener.closed, 'no fault of the client').toBeUndefined();
  const again = await untilLetIn(server, guard.token);
  await admin.raise('south/1');
  await admin.raise('north/1', { stationId: north });
  await expect.poll(() => again.paths()).toEqual(['north/1']);
});

test('a newer token with fewer stations ends the connection, which goes on with those only', async ({
  site,
  server,
  admin,
}) => {
  const north = await admin.post<number>('/stations', { name: 'North' });
  const guard = await hire(server, admin, { username: 'guard', stationIds: [1, north] });
  const at = await openPolled(server, guard.token);
  await asOwner(site.databaseUrl, `update users set station_ids = '{${north}}' where id = ${guard.userId}`);
  await sleep(1_100);
  const { token } = await logIn(server, 'guard');
  const answer = await fetch(at, { headers: bearer(token) });
  expect(await answer.text()).toContain('{"type":7,"allowReconnect":true}');
  const again = await listen(server, token);
  await admin.raise('south/1');
  await admin.raise('north/1', { stationId: north });
  await expect.poll(() => again.paths()).toEqual(['north/1']);
});

/** A Core connection by long polling, spoken by hand: where its next poll goes. */
async function openPolled({ url }: RunningServer, token: string): Promise<string> {
  const headers = bearer(token);
  const negotiated = await fetch(`${url}/alarmHub/negotiate?negotiateVersion=1`, { method: 'POST', headers });
  const { connectionToken } = (await negotiated.json()) as { connectionToken: string };
  const at = `${url}/alarmHub?id=${encodeURIComponent(connectionToken)}`;
  await fetch(at, { headers });
  await fetch(at, { method: 'POST', headers, body: '{"protocol":"json","version":1}\u001e' });
  expect(await (await fetch(at, { headers })).text()).toBe('{}\u001e');
  return at;
}

/** What was known of a token a moment ago is forgotten after five seconds. */
async function untilLetIn(server: RunningServer, token: string): Promise<Listener> {
  for (let tries = 0; tries < 30; tries++) {
    const listener = await listen(server, token).catch(() => undefined);
    await sleep(250);
    if (listener?.connection.state === HubConnectionState.Connected) return listener;
  }
  throw new Error('not let in');
}

async function asOwner(databaseUrl: string, statement: string): Promise<void> {
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    await owner.query(`select set_config('tocsin.tenant', '1', false); ${statement}`);
  } finally {
    await owner.end();
  }
}

test('a caller may hold so many connections and no more', async ({ site }) => {
  const server = await site.start({ hubConnectionsPerCaller: 2 });
  const admin = await logIn(server);
  await listen(server, admin.token);
  await listen(server, admin.token);
  expect(await upgrade(`${server.url}/alarmHub`, bearer(admin.token))).toBe(429);
  await expect(listen(server, admin.token)).rejects.toThrow(/failed to connect/);
});
