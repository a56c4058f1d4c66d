import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { HttpClient } from '../harness/http/http-client.ts';
import { listenClassic } from '../harness/hub/classic-client.ts';
import { type HubCluster, startHubCluster } from '../harness/hub/cluster.ts';
import { coreTransports, listenCore } from '../harness/hub/listener.ts';
import { logIn } from '../harness/installation.ts';
import { granted } from '../harness/plant.ts';

let cluster: HubCluster;
let admin: HttpClient;
beforeAll(async () => {
  cluster = await startHubCluster({ LOG_LEVEL: 'trace' });
  admin = await logIn(cluster.servers[0]);
});
afterAll(async () => {
  admin.close();
  await cluster.close();
});

/** Secrets that must never be in a log; servers add tokens to it. */
const secrets = new Set<string>();

type Holder = { name: string; query: string; headers: Record<string, string> };

/** The three ways to send a token, and a contradictory one. */
function waysOf(token: string): Holder[] {
  const header = { authorization: `Bearer ${token}` };
  const query = `access_token=${encodeURIComponent(token)}`;
  return [
    { name: 'header', query: '', headers: header },
    { name: 'query', query, headers: {} },
    { name: 'both', query, headers: header },
    { name: 'contradiction', query, headers: { authorization: 'Bearer somebody-else' } },
  ];
}

type Request = { method?: string; headers?: Record<string, string>; body?: string | URLSearchParams };

async function ask(url: string, { query, headers }: Holder, init: Request = {}): Promise<string> {
  const address = `${url}${url.includes('?') ? '&' : '?'}${query}`;
  const abort = AbortSignal.timeout(1_500);
  try {
    const answer = await fetch(address, { ...init, headers: { ...init.headers, ...headers }, signal: abort });
    return await answer.text();
  } catch {
    // An idle stream, or a poll that waits.
    return '';
  }
}

async function openSocket(url: string, { query, headers }: Holder): Promise<void> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${url.includes('?') ? '&' : '?'}${query}`, {
    headers,
  });
  socket.on('error', () => undefined);
  await Promise.race([once(socket, 'open'), once(socket, 'close')]).catch(() => undefined);
  socket.terminate();
}

function keep(text: string, ...members: string[]): Record<string, string> {
  const found = text.startsWith('{') ? (JSON.parse(text) as Record<string, string>) : {};
  for (const member of members) if (found[member]) secrets.add(found[member]);
  return found;
}

/** All requests of Core clients, at the server that issued the connection and at the other one. */
async function speakCore(holder: Holder): Promise<void> {
  const [first, second] = cluster.servers.map(({ baseUrl }) => `${baseUrl}/alarmHub`);
  const negotiate = async () => {
    const text = await ask(`${first}/negotiate?negotiateVersion=1`, holder, { method: 'POST' });
    return keep(text, 'connectionToken')['connectionToken'] ?? 'unknown';
  };
  for (const hub of [first, second]) {
    await openSocket(`${hub}?id=${await negotiate()}`, holder);
    await ask(`${hub}?id=${await negotiate()}`, holder, { headers: { accept: 'text/event-stream' } });
    const id = await negotiate();
    await ask(`${hub}?id=${id}`, holder);
    await ask(`${hub}?id=${id}`, holder, { method: 'POST', body: 'no handshake\u001e' });
    await ask(`${hub}?id=${id}`, holder, { method: 'DELETE' });
    await openSocket(`${hub}?id=${id}x`, holder);
  }
}

/** All requests of classic clients. */
async function speakClassic(holder: Holder): Promise<void> {
  const [first, second] = cluster.servers.map(({ baseUrl }) => `${baseUrl}/signalr`);
  const connectionData = encodeURIComponent('[{"name":"alarmhub"}]');
  for (const transport of ['webSockets', 'serverSentEvents', 'longPolling']) {
    const common = `clientProtocol=2.1&connectionData=${connectionData}`;
    const text = await ask(`${first}/negotiate?${common}`, holder);
    const token = encodeURIComponent(keep(text, 'ConnectionToken')['ConnectionToken'] ?? 'unknown');
    const query = `${common}&transport=${transport}&connectionToken=${token}`;
    for (const hub of [first, second]) {
      if (transport === 'webSockets') await openSocket(`${hub}/connect?${query}`, holder);
      else await ask(`${hub}/connect?${query}`, holder);
      const data = new URLSearchParams({ data: '{"H":"alarmhub","M":"subscribe","A":[],"I":0}' });
      await ask(`${hub}/start?${query}`, holder);
      await ask(`${hub}/send?${query}`, holder, { method: 'POST', body: data });
      await ask(`${hub}/poll?${query}&messageId=1`, holder, { method: 'POST' });
      await ask(`${hub}/reconnect?${query}&messageId=1&groupsToken=${token}`, holder);
      await ask(`${hub}/ping?${query}`, holder);
      await ask(`${hub}/abort?${query}`, holder, { method: 'POST' });
    }
  }
}

/** Requests that fail before they reach the hub. */
async function speakBadly(holder: Holder): Promise<void> {
  const { baseUrl } = cluster.servers[0];
  for (const path of ['/alarmhub', '/alarmHub/%E0%A4%A', '/alarmHub/other', '/api/v1/alarms', '/nowhere']) {
    await ask(`${baseUrl}${path}`, holder);
    await openSocket(`${baseUrl}${path}`, holder);
  }
  const { hostname, port } = new URL(baseUrl);
  for (const line of [`GET /alarmHub?${holder.query} HTTP/9.9`, `GET /alarmHub?${holder.query} nonsense`]) {
    const socket = connect(Number(port), hostname, () => socket.write(`${line}\r\n\r\n`));
    socket.resume();
    await once(socket, 'close');
  }
}

test('no token is ever in a log, however it was sent and whatever the result', async () => {
  const { key } = granted<{ key: string }>(
    await admin.post('/api/v1/apikeys', { name: 'Panel', role: 'viewer' }),
  );
  for (const token of [admin.token ?? '', key]) {
    secrets.add(token).add(token.split('.').at(-1) ?? token);
    const ways = waysOf(token);
    await Promise.all(ways.map((holder) => speakCore(holder)));
    await Promise.all(ways.map((holder) => speakClassic(holder)));
    for (const holder of ways) await speakBadly(holder);
    const { url } = cluster.balancer;
    const clients = await Promise.all([
      ...Object.values(coreTransports).map((options) => listenCore(url, token, options)),
      ...(['webSockets', 'serverSentEvents', 'longPolling'] as const).map((transport) =>
        listenClassic(url, token, transport),
      ),
    ]);
    await admin.post('/api/v1/alarms', { path: 'boiler' });
    await Promise.all(clients.map((client) => client.stop()));
  }
  const output = cluster.servers.map((server) => server.output()).join('\n');
  // A log without these lines would prove nothing.
  for (const path of ['/alarmHub/negotiate', '/signalr/negotiate', '/signalr/send', '/api/v1/alarms'])
    expect(output).toContain(`"path":"${path}`);
  expect(secrets.size, 'connection tokens were given out').toBeGreaterThan(20);
  const written = [...secrets].flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const found = written.filter((secret) => output.includes(secret));
  expect(found).toEqual([]);
});
