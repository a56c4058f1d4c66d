import { describe, expect } from 'vitest';
import { test } from './testing/classic-node.fixture.ts';
import { alarmHubData, negotiate, until } from './testing/raw-client.fixture.ts';

describe('a caller', () => {
  test('needs an access token in the header or in the query', async ({ start }) => {
    const node = await start();
    const url = `${node.address}/signalr/ping`;
    const ask = async (query: string, headers: Record<string, string> = {}) =>
      (await fetch(`${url}${query}`, { headers })).status;
    expect(await ask('')).toBe(401);
    expect(await ask('?access_token=wrong')).toBe(401);
    expect(await ask('?access_token=anna-token')).toBe(200);
    expect(await ask('', { authorization: 'Bearer anna-token' })).toBe(200);
  });

  test('needs an access token at every endpoint except the proxy script', async ({ start }) => {
    const node = await start();
    const endpoints = ['negotiate', 'connect', 'start', 'send', 'poll', 'reconnect', 'abort', 'ping'];
    const statuses = await Promise.all(
      endpoints.map(async (endpoint) => (await fetch(`${node.address}/signalr/${endpoint}`)).status),
    );
    expect(statuses).toEqual(endpoints.map(() => 401));
    expect((await fetch(`${node.address}/signalr/js`)).status).toBe(200);
  });

  test('cannot use the connection of another user', async ({ start }) => {
    const node = await start();
    const anna = await negotiate(node);
    for (const endpoint of ['connect', 'start', 'send', 'poll', 'reconnect', 'abort']) {
      expect((await anna.get(endpoint, { access_token: 'bert-token' })).status).toBe(403);
    }
    const socket = anna.socket('connect', { access_token: 'bert-token' });
    expect(await until(() => socket.ended())).toBe(403);
  });

  test.for([
    ['without a token', { connectionToken: '' }],
    ['with a changed token', { connectionToken: `A${'x'.repeat(200)}` }],
    ['with an unknown transport', { transport: 'foreverFrame' }],
    ['without a transport', { transport: '' }],
    ['with a transport that needs an upgrade', { transport: 'webSockets' }],
  ] as const)('gets 400 %s', async ([, query], { start }) => {
    const client = await negotiate(await start());
    expect((await client.get('connect', query)).status).toBe(400);
  });

  test('cannot use a connection token of the other generation', async ({ start }) => {
    const node = await start();
    const client = await negotiate(node);
    const claims = {
      connectionId: 'x',
      ownerAddress: node.address,
      identityKey: 'user:anna',
      useStatefulReconnect: false,
    };
    const core = node.context.tokens.issue({ ...claims, generation: 'core' });
    expect((await client.get('start', { connectionToken: core })).status).toBe(400);
  });

  test('must come from an allowed origin', async ({ start }) => {
    const node = await start({ origins: ['https://console.example'] });
    const ask = (origin: string) =>
      fetch(`${node.address}/signalr/ping?access_token=anna-token`, { headers: { origin } });
    expect((await ask('https://evil.example')).status).toBe(403);
    const allowed = await ask('https://console.example');
    expect(allowed.status).toBe(200);
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://console.example');
    expect(allowed.headers.get('access-control-allow-credentials')).toBe('true');
    const preflight = await fetch(`${node.address}/signalr/send`, {
      method: 'OPTIONS',
      headers: { origin: 'https://console.example', 'access-control-request-headers': 'authorization' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization');
  });

  test('is refused above the connection limit', async ({ start }) => {
    const node = await start({ limits: { maxConnections: 1 } });
    const [one, two] = [await negotiate(node), await negotiate(node)];
    expect((await one.poll('connect')).S).toBe(1);
    const refused = await two.post('connect');
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).not.toBeNull();
  });

  test('gets 404 for unknown paths and 405 for other methods', async ({ start }) => {
    const client = await negotiate(await start());
    expect((await client.get('constructor')).status).toBe(404);
    expect((await client.get('')).status).toBe(404);
    expect((await fetch(client.url('ping'), { method: 'DELETE' })).status).toBe(405);
  });
});

describe('negotiate', () => {
  test('returns the fields of the protocol with the path of the request', async ({ start }) => {
    const node = await start({ base: '/plant' });
    const query = new URLSearchParams({ connectionData: alarmHubData, access_token: 'anna-token' });
    const response = await fetch(`${node.address}/plant/signalr/negotiate?clientProtocol=2.1&${query}`);
    expect(await response.json()).toMatchObject({ Url: '/plant/signalr', ProtocolVersion: '2.0' });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toContain('no-store');
    const script = await (await fetch(`${node.address}/plant/signalr/hubs`)).text();
    expect(script).toContain('hubConnection("/plant/signalr"');
  });

  test('ignores the case of the path', async ({ start }) => {
    const node = await start();
    const query = new URLSearchParams({ connectionData: alarmHubData, access_token: 'anna-token' });
    expect((await fetch(`${node.address}/signalr/Negotiate/?${query}`)).status).toBe(200);
  });

  test('is refused while the server drains', async ({ start }) => {
    const node = await start();
    node.context.admission.drain();
    await expect(negotiate(node)).rejects.toThrow('503');
  });
});

describe('JSONP', () => {
  test('is refused by default', async ({ start }) => {
    const client = await negotiate(await start());
    expect((await client.get('ping', { callback: 'jQuery_1' })).status).toBe(400);
  });

  test('wraps the response in the callback when it is allowed', async ({ start }) => {
    const client = await negotiate(await start({ allowJsonp: true }));
    const response = await client.get('ping', { callback: 'jQuery_1' });
    expect(await response.text()).toBe('/**/jQuery_1({"Response":"pong"});');
    expect(response.headers.get('content-type')).toBe('application/javascript; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test.for(['alert(1)//', 'a b', '<script>', ''])(
    'refuses the callback name %j',
    async (callback, { start }) => {
      const client = await negotiate(await start({ allowJsonp: true }));
      expect((await client.get('ping', { callback })).status).toBe(400);
    },
  );
});
