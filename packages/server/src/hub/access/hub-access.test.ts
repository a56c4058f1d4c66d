import { setTimeout as sleep } from 'node:timers/promises';
import { HttpTransportType, HubConnectionState } from '@microsoft/signalr';
import { expect } from 'vitest';
import type { RunningServer } from '../../serve.ts';
import {
  addUser,
  bearer,
  type Caller,
  type HubSite,
  type Listener,
  listen,
  logIn,
  settle,
  test,
  upgradeStatus,
} from '../testing/hub.fixture.ts';

/** Changes the stations of a user in the database. */
const moveTo = (site: HubSite, { userId }: { userId: number }, stationId: number) =>
  site.asOwner((owner) =>
    owner.query('update users set station_ids = $1 where id = $2', [[stationId], userId]),
  );

/** The status of a negotiation, without following the protocol any further. */
async function negotiate(
  { url }: RunningServer,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> },
): Promise<number> {
  return (await fetch(`${url}/alarmHub/negotiate${query}`, { method: 'POST', headers })).status;
}

test('a request without a valid token is refused, and the token may be in the query', async ({
  server,
  admin,
}) => {
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

test('a WebSocket is refused before the upgrade', async ({ server, admin }) => {
  const { url } = server;
  const { token } = admin;
  expect(await upgradeStatus(`${url}/alarmHub`)).toBe(401);
  expect(await upgradeStatus(`${url}/alarmHub?access_token=forged`)).toBe(401);
  expect(await upgradeStatus(`${url}/alarmHub?access_token=${token}&id=unknown`)).toBe(404);
  expect(await upgradeStatus(`${url}/alarmHub?access_token=${token}`)).toBe(101);
  expect(await upgradeStatus(`${url}/alarmHub`, bearer(token))).toBe(101);
  expect(await upgradeStatus(`${url}/signalr/alarmHub`, bearer(token))).toBe(101);
  expect(await upgradeStatus(`${url}/ALARMHUB/`, bearer(token)), 'in any case').toBe(101);
  expect(await upgradeStatus(`${url}/ALARMHUB`), 'in any case').toBe(401);
  expect(await upgradeStatus(`${url}/alarmHub/nothing`, bearer(token))).toBe(404);
  expect(await upgradeStatus(`${url}/api/v1/alarms`, bearer(token)), 'answered as plain HTTP').toBe(200);
});

test('the case of a hub path does not matter', async ({ server, admin }) => {
  const headers = bearer(admin.token);
  for (const path of ['/ALARMHUB/Negotiate', '/alarmhub/negotiate/', '/SignalR/AlarmHub/negotiate']) {
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers });
    expect(answer.status, path).toBe(200);
  }
  expect((await fetch(`${server.url}/SIGNALR/HUBS/`)).status).toBe(200);
});

test('pages of other origins are refused, those of the list and of the server itself are not', async ({
  site,
}) => {
  const server = await site.start({ allowedOrigins: ['https://console.example'] });
  const { token } = await logIn(server);
  const from = (origin: string) => upgradeStatus(`${server.url}/alarmHub`, { ...bearer(token), origin });
  expect(await from('https://evil.example')).toBe(403);
  expect(await from('null')).toBe(403);
  expect(await from('https://console.example')).toBe(101);
  expect(await from(server.url)).toBe(101);
  const evil = { ...bearer(token), origin: 'https://evil.example' };
  expect(await negotiate(server, { headers: evil })).toBe(403);
});

test('a key without the permission to read alarms is refused', async ({ server, admin }) => {
  const { key } = await admin.post<{ key: string }>('/apikeys', {
    name: 'PLC',
    role: 'machine',
    scopes: ['alarms:raise'],
  });
  expect(await negotiate(server, { headers: bearer(key) })).toBe(403);
});

test('a user limited to stations gets no alarms of other stations', async ({ server, admin }) => {
  const north = await admin.post<number>('/stations', { name: 'North' });
  const guard = await addUser(server, admin, { username: 'guard', stationIds: [north] });
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

test('no client gets alarms of another tenant', async ({ site, server, admin }) => {
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

/** Events that revoke a token. Within five seconds the connection must be closed. */
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

async function expectRevoked(listener: Listener, admin: Caller, since: number): Promise<void> {
  const reason = await listener.closed;
  expect(performance.now() - since).toBeLessThan(5_000);
  expect(reason?.message).toMatch(/revoked/);
  await admin.raise('after the end');
  await settle();
  expect(listener.paths()).not.toContain('after the end');
}

test.for(Object.keys(endings))('a connection ends when %s', async (ending, { server, admin }) => {
  const own = await addUser(server, admin, { username: 'guard' });
  const listener = await listen(server, own.token);
  await admin.raise('before the end');
  await expect.poll(() => listener.paths()).toEqual(['before the end']);
  const since = performance.now();
  await endings[ending]?.({ admin, own });
  await expectRevoked(listener, admin, since);
  const late = await listen(server, own.token).catch((error: Error) => error.message);
  // A new connection may still be accepted by the cached session; it is closed at once.
  if (typeof late !== 'string') await expect(late.closed).resolves.toBeDefined();
});

test('a connection ends when its key is revoked', async ({ server, admin }) => {
  const made = await admin.post<{ id: number; key: string }>('/apikeys', { name: 'Panel', role: 'viewer' });
  const listener = await listen(server, made.key, HttpTransportType.LongPolling);
  const since = performance.now();
  await admin.delete(`/apikeys/${made.id}`);
  await expectRevoked(listener, admin, since);
});

test('a connection ends when its key expires', async ({ server, admin }) => {
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

test('a client whose rights change is disconnected, and may reconnect with the new ones', async ({
  site,
  server,
  admin,
}) => {
  const north = await admin.post<number>('/stations', { name: 'North' });
  const guard = await addUser(server, admin, { username: 'guard', stationIds: [1] });
  const listener = await listen(server, guard.token);
  await moveTo(site, guard, north);
  expect(await listener.closed, 'without an error').toBeUndefined();
  const again = await listenWithRetries(server, guard.token);
  await admin.raise('south/1');
  await admin.raise('north/1', { stationId: north });
  await expect.poll(() => again.paths()).toEqual(['north/1']);
});

test('a newer token with fewer stations ends the connection, and the next one has only those', async ({
  site,
  server,
  admin,
}) => {
  const north = await admin.post<number>('/stations', { name: 'North' });
  const guard = await addUser(server, admin, { username: 'guard', stationIds: [1, north] });
  const at = await openPolled(server, guard.token);
  await moveTo(site, guard, north);
  await sleep(1_100);
  const { token } = await logIn(server, 'guard');
  const answer = await fetch(at, { headers: bearer(token) });
  expect(await answer.text()).toContain('{"type":7,"allowReconnect":true}');
  const again = await listen(server, token);
  await admin.raise('south/1');
  await admin.raise('north/1', { stationId: north });
  await expect.poll(() => again.paths()).toEqual(['north/1']);
});

/** Opens a Core connection by long polling without a client library, and returns the URL of its polls. */
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

/** Retries, because a cached session lasts for five seconds. */
async function listenWithRetries(server: RunningServer, token: string): Promise<Listener> {
  for (let tries = 0; tries < 30; tries++) {
    const listener = await listen(server, token).catch(() => undefined);
    await sleep(250);
    if (listener?.connection.state === HubConnectionState.Connected) return listener;
  }
  throw new Error('not connected');
}

test('the connections of one caller are limited', async ({ site }) => {
  const server = await site.start({ hubConnectionsPerCaller: 2 });
  const admin = await logIn(server);
  await listen(server, admin.token);
  await listen(server, admin.token);
  expect(await upgradeStatus(`${server.url}/alarmHub`, bearer(admin.token))).toBe(429);
  await expect(listen(server, admin.token)).rejects.toThrow(/failed to connect/);
});
