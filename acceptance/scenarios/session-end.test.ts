import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import type { UserSessions } from '@tocsin/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../harness/http/http-client.ts';
import { type Installation, installPair, logIn } from '../harness/installation.ts';
import { allowedMs } from '../harness/judged-times.ts';

const password = 'correct horse battery';
/** The longest time until an ended session is refused everywhere. */
const endMs = allowedMs(5_000);

let installation: Installation;
let admin: HttpClient;
const open: HttpClient[] = [];
beforeAll(async () => {
  installation = await installPair();
  admin = await logIn(installation.servers[0]);
});
afterAll(async () => {
  for (const client of [admin, ...open]) client.close();
  await installation.close();
});

type Worker = { id: number; first: HttpClient; second: HttpClient };

/** A user who has logged in at the first server, and uses the same token at the second. */
async function hire(username: string, role = 'operator'): Promise<Worker> {
  const created = await admin.post('/api/v1/users', { username, name: username, role, password });
  expect(created.status, created.text).toBe(200);
  const [first, second] = await Promise.all(
    installation.servers.map((server) => logIn(server, { username, password })),
  );
  if (!first || !second) throw new Error('there are two servers');
  second.token = first.token;
  open.push(first, second);
  return { id: created.json<number>(), first, second };
}

const headers = { 'content-type': 'application/x-www-form-urlencoded' };

/** The official client of the hub, connected to the second server. Resolves when the server has closed the connection. */
async function connect({ second }: Worker): Promise<{ closed: Promise<number> }> {
  const connection = new HubConnectionBuilder()
    .withUrl(`${second.baseUrl}/alarmHub`, {
      accessTokenFactory: () => second.token ?? '',
      transport: HttpTransportType.WebSockets,
    })
    .configureLogging(LogLevel.None)
    .build();
  const closed = new Promise<number>((resolve) => connection.onclose(() => resolve(performance.now())));
  await connection.start();
  return { closed };
}

/** Milliseconds until the second server refuses the token. */
async function refusedAfter({ second }: Worker, since: number): Promise<number> {
  await expect
    .poll(async () => (await second.get('/api/v1/alarms')).status, { timeout: 10_000, interval: 100 })
    .toBe(401);
  return performance.now() - since;
}

const endings: { how: string; end(worker: Worker): Promise<number> }[] = [
  {
    how: 'the user signs out',
    end: async ({ first }) => (await first.post('/api/v1/auth/logout')).status,
  },
  {
    how: 'an administrator ends the session',
    end: async ({ id, first }) => {
      const { items } = (await first.get(`/api/v1/users/${id}/sessions`)).json<UserSessions>();
      const current = items.find(({ isCurrent }) => isCurrent)?.id ?? '';
      return (await admin.send('DELETE', `/api/v1/users/${id}/sessions/${current}`)).status;
    },
  },
  {
    how: 'an administrator resets the second factors',
    end: async ({ id }) => (await admin.send('DELETE', `/api/v1/users/${id}/second-factors`)).status,
  },
];

test.for(endings)(
  'when $how, the other server refuses the token and closes the hub connection within five seconds',
  async ({ how, end }) => {
    const worker = await hire(how);
    const { closed } = await connect(worker);
    expect((await worker.second.get('/api/v1/alarms')).status, 'before').toBe(200);
    const since = performance.now();
    expect(await end(worker)).toBe(204);
    const [httpMs, closedAt] = await Promise.all([refusedAfter(worker, since), closed]);
    expect(httpMs).toBeLessThan(endMs);
    expect(closedAt - since).toBeLessThan(endMs);
    await expect(connect(worker), 'and it cannot come back').rejects.toThrow(/401/);
  },
);

test('a refresh token that is used by a thief is found out, and ends the session everywhere', async () => {
  const worker = await hire('robbed');
  const form = { grant_type: 'password', username: 'robbed', password };
  const opened = await worker.first.send('POST', '/api/v1/auth/login', {
    raw: new URLSearchParams(form).toString(),
    headers,
    token: null,
  });
  const stolen = opened.json<{ refresh_token: string; access_token: string }>();
  const refresh = (client: HttpClient) =>
    client.send('POST', '/api/v1/auth/login', {
      raw: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: stolen.refresh_token,
      }).toString(),
      headers,
      token: null,
    });
  const thief = await refresh(worker.second);
  expect(thief.status).toBe(200);
  expect((await refresh(worker.first)).status, 'the owner uses the same token').toBe(400);
  const robbed = { ...worker };
  robbed.second.token = thief.json<{ access_token: string }>().access_token;
  expect(await refusedAfter(robbed, performance.now())).toBeLessThan(endMs);
});

test('the hub lets nobody in whose role needs a second factor that is not set up', async () => {
  const worker = await hire('late', 'auditor');
  const { closed } = await connect(worker);
  const since = performance.now();
  const rules = {
    secondFactorRoles: ['auditor'],
    confirmDangerous: false,
    confirmationMinutes: 10,
    deskMinutes: 15,
    twoPersonActions: [],
  };
  const saved = await admin.send('PUT', '/api/v1/security-settings', { body: rules });
  expect(saved.status).toBe(200);
  expect((await closed) - since, 'an open connection ends').toBeLessThan(endMs);
  await expect
    .poll(async () => (await worker.second.get('/api/v1/alarms')).status, { timeout: 6_000 })
    .toBe(403);
  await expect(connect(worker)).rejects.toThrow(/403/);
});
