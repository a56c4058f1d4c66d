import { expect, test } from 'vitest';
import { hubServer } from '../testing/hub-server.fixture.ts';
import { ada, negotiate, openSocket } from '../testing/raw-client.ts';

const console = 'https://console.example';
const allowedOrigins = [console];
const negotiateFrom = (url: string, origin: string) =>
  fetch(`${url}/negotiate`, { method: 'POST', headers: { ...ada, origin } });

test('a page of an allowed origin may send requests and read responses', async () => {
  const { url } = await hubServer({ allowedOrigins });
  const response = await negotiateFrom(url, console);
  expect(response.status).toBe(200);
  expect(response.headers.get('access-control-allow-origin')).toBe(console);
  expect(response.headers.get('access-control-allow-credentials')).toBe('true');
  expect(response.headers.get('vary')).toBe('Origin');
});

test('a page of an allowed origin can read a refusal', async () => {
  const { url } = await hubServer({ allowedOrigins });
  const response = await fetch(`${url}/negotiate`, { method: 'POST', headers: { origin: console } });
  expect(response.status).toBe(401);
  expect(response.headers.get('access-control-allow-origin')).toBe(console);
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
});

test.for(['null', 'https://evil.example', 'https://console.example.evil', 'http://console.example', ''])(
  'a page of another origin is refused on every transport: %s',
  async (origin) => {
    const { url } = await hubServer({ allowedOrigins });
    const { at } = await negotiate(url);
    const response = await negotiateFrom(url, origin);
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect((await fetch(at, { headers: { ...ada, origin } })).status).toBe(403);
    await expect(openSocket(at, { ...ada, origin })).rejects.toThrow('403');
  },
);

test('a page of the same origin is allowed', async () => {
  const { url, origin } = await hubServer();
  expect((await negotiateFrom(url, origin)).status).toBe(200);
  await openSocket(url, { ...ada, origin });
});

test('a preflight request gets the allowed headers and methods', async () => {
  const { url } = await hubServer({ allowedOrigins });
  const response = await fetch(`${url}/negotiate`, {
    method: 'OPTIONS',
    headers: {
      origin: console,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,x-requested-with,x-signalr-user-agent,x-evil',
    },
  });
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-headers')).toBe(
    'authorization, x-requested-with, x-signalr-user-agent',
  );
  expect(response.headers.get('access-control-allow-methods')).toContain('DELETE');
});
