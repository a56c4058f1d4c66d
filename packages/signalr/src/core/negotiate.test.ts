import { expect, test } from 'vitest';
import { hubServer } from '../testing/hub-server.fixture.ts';
import { ada, negotiate } from '../testing/raw-client.ts';

const availableTransports = [
  { transport: 'WebSockets', transferFormats: ['Text', 'Binary'] },
  { transport: 'ServerSentEvents', transferFormats: ['Text'] },
  { transport: 'LongPolling', transferFormats: ['Text', 'Binary'] },
];
const anId = expect.stringMatching(/^[\w-]{22}$/);
const aToken = expect.stringMatching(/^[\w-]{80,}$/);

async function ask(url: string, query: string): Promise<unknown> {
  const response = await fetch(`${url}/negotiate${query}`, { method: 'POST', headers: ada });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/json|plain/);
  expect(response.headers.get('cache-control')).toContain('no-store');
  return response.json();
}

test('version 1 returns a public id and a secret token', async () => {
  const { url } = await hubServer();
  const response = { negotiateVersion: 1, connectionId: anId, connectionToken: aToken, availableTransports };
  expect(await ask(url, '?negotiateVersion=1')).toEqual(response);
});

test('a later version gets the newest supported version', async () => {
  const { url } = await hubServer();
  expect(await ask(url, '?negotiateVersion=7')).toMatchObject({ negotiateVersion: 1 });
});

test.for(['', '?negotiateVersion=0'])(
  'version 0 has one id, which is the secret token: %s',
  async (query) => {
    const { url } = await hubServer();
    const response = { negotiateVersion: 0, connectionId: aToken, availableTransports };
    expect(await ask(url, query)).toEqual(response);
  },
);

test.for(['one', '-1', '1.5', ''])(
  'an invalid version gets an error with status 200: %s',
  async (version) => {
    const { url } = await hubServer();
    const error = { error: expect.stringContaining('negotiateVersion') };
    expect(await ask(url, `?negotiateVersion=${version}`)).toEqual(error);
  },
);

test('stateful reconnect is enabled only if the client requests it', async () => {
  const { url } = await hubServer();
  expect(await ask(url, '?negotiateVersion=1')).not.toHaveProperty('useStatefulReconnect');
  const asked = await ask(url, '?negotiateVersion=1&useStatefulReconnect=true');
  expect(asked).toMatchObject({ useStatefulReconnect: true });
});

test('tokens do not reveal their content', async () => {
  const { url, origin } = await hubServer();
  const { connectionToken } = await negotiate(url);
  const text = Buffer.from(connectionToken, 'base64url').toString('latin1');
  expect(text).not.toContain('ada');
  expect(text).not.toContain(origin.slice(7));
});

test.for(['GET', 'PUT', 'DELETE'])('negotiate requires POST: %s is 405', async (method) => {
  const { url } = await hubServer();
  expect((await fetch(`${url}/negotiate`, { method, headers: ada })).status).toBe(405);
});

test('a negotiated connection that is never used is removed', async () => {
  const { url, advance, signalr } = await hubServer();
  const { at } = await negotiate(url);
  advance(14_000);
  const used = await negotiate(url);
  advance(1_000);
  expect((await fetch(at, { headers: ada })).status).toBe(404);
  expect((await fetch(used.at, { headers: ada })).status).toBe(200);
  expect(signalr.counts().negotiated).toBe(2);
});
