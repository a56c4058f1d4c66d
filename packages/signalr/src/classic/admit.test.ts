import { describe, expect } from 'vitest';
import { test } from './classic-node.fixture.ts';
import { alarmHubData, negotiate, until } from './raw-client.fixture.ts';

describe('whoever asks', () => {
  test('shows a token in the header or in the query, or is not let in', async ({ start }) => {
    const node = await start();
    const url = `${node.address}/signalr/ping`;
    const ask = async (query: string, headers: Record<string, string> = {}) =>
      (await fetch(`${url}${query}`, { headers })).status;
    expect(await ask('')).toBe(401);
    expect(await ask('?access_token=wrong')).toBe(401);
    expect(await ask('?access_token=anna-token')).toBe(200);
    expect(await ask('', { authorization: 'Bearer anna-token' })).toBe(200);
  });

  test('is asked for a token at every endpoint but the script', async ({ start }) => {
    const node = await start();
    const endpoints = ['negotiate', 'connect', 'start', 'send', 'poll', 'reconnect', 'abort', 'ping'];
    const statuses = await Promise.all(
      endpoints.map(async (endpoint) => (await fetch(`${node.address}/signalr/${endpoint}`)).status),
    );
    expect(statuses).toEqual(endpoints.map(() => 401));
    expect((await fetch(`${node.address}/signalr/js`)).status).toBe(200);
  });

  test('cannot use the connection of somebody else', async ({ start }) => {
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
    ['with a transport that there is not', { transport: 'foreverFrame' }],
    ['without a transport', { transport: '' }],
    ['with a transport that needs an upgrade', { transport: 'webSockets' }],
  ] as const)('gets 400 %s', async ([, query], { start }) => {
    const client = await negotiate(await start());
    expect((await client.get('connect', query)).status).toBe(400);
  });

  test('cannot go round the token with one of another purpose', async ({ start }) => {
    const node = await start();
    const client = await negotiate(node);
    const claims = { connectionId: 'x', owner: node.address, identityKey: 'user:anna', stateful: false };
    const core = node.context.tokens.seal({ ...claims, family: 'core' });
    expect((await client.get('start', { connectionToken: core })).status).toBe(400);
  });

  test('comes from an origin that is allowed', async ({ start }) => {
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

  test('is refused when there are too many connections', async ({ start }) => {
    const node = await start({ limits: { connections: 1 } });
    const [one, two] = [await negotiate(node), await negotiate(node)];
    expect((await one.poll('connect')).S).toBe(1);
    const refused = await two.post('connect');
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).not.toBeNull();
  });

  test('finds nothing elsewhere, and may not use other verbs', async ({ start }) => {
    const client = await negotiate(await start());
    expect((await client.get('constructor')).status).toBe(404);
    expect((await client.get('')).status).toBe(404);
    expect((await fetch(client.url('ping'), { method: 'DELETE' })).status).toBe(405);
  });
});

describe('negotiating', () => {
  test('answers what the protocol wants, under the path it was asked at', async ({ start }) => {
    const node = await start({ base: '/plant' });
    const query = new URLSearchParams({ connectionData: alarmHubData, access_token: 'anna-token' });
    const answer = await fetch(`${node.address}/plant/signalr/negotiate?clientProtocol=2.1&${query}`);
    expect(await answer.json()).toMatchObject({ Url: '/plant/signalr', ProtocolVersion: '2.0' });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toContain('no-store');
    const script = await (await fetch(`${node.address}/plant/signalr/hubs`)).text();
    expect(script).toContain('hubConnection("/plant/signalr"');
  });

  test('does not care for the case of the path', async ({ start }) => {
    const node = await start();
    const query = new URLSearchParams({ connectionData: alarmHubData, access_token: 'anna-token' });
    expect((await fetch(`${node.address}/signalr/Negotiate/?${query}`)).status).toBe(200);
  });

  test('is refused to a server that goes down', async ({ start }) => {
    const node = await start();
    node.context.admission.drain();
    await expect(negotiate(node)).rejects.toThrow('503');
  });
});

describe('JSONP', () => {
  test('is refused unless it is switched on', async ({ start }) => {
    const client = await negotiate(await start());
    expect((await client.get('ping', { callback: 'jQuery_1' })).status).toBe(400);
  });

  test('calls the function of the page when it is switched on', async ({ start }) => {
    const client = await negotiate(await start({ jsonp: true }));
    const answer = await client.get('ping', { callback: 'jQuery_1' });
    expect(await answer.text()).toBe('/**/jQuery_1({"Response":"pong"});');
    expect(answer.headers.get('content-type')).toBe('application/javascript; charset=utf-8');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test.for(['alert(1)//', 'a b', '<script>', ''])('calls nothing named %j', async (callback, { start }) => {
    const client = await negotiate(await start({ jsonp: true }));
    expect((await client.get('ping', { callback })).status).toBe(400);
  });
});
