import { pino } from 'pino';
import { expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import { openDatabase } from '../../postgres/database.ts';
import { testBox } from '../../testing/test-box.ts';
import { notAuthenticated } from '../authorization.ts';

const wall = 'https://console.example';
const evil = 'https://evil.example';

/** No database answers there: nobody gets that far. */
async function appFor(allowedOrigins: string[] | undefined) {
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', connections: 2 });
  const authenticate = async () => {
    throw notAuthenticated('unknown token');
  };
  const settings = { basePath: '', reference: false, ...(allowedOrigins && { allowedOrigins }) };
  const app = buildApp({ database, log: pino({ level: 'silent' }), box: testBox }, authenticate, settings);
  await app.ready();
  return app;
}

const preflight = (origin: string) => ({
  method: 'OPTIONS' as const,
  url: '/api/v1/alarms',
  headers: {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization, content-type',
  },
});

test('a page of a listed origin may send requests, and reads answers and refusals', async () => {
  const app = await appFor([wall]);
  const answer = await app.inject(preflight(wall));
  expect(answer.statusCode).toBe(204);
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': wall,
    'access-control-allow-methods': expect.stringContaining('POST'),
    'access-control-allow-headers': 'authorization, content-type',
    vary: 'Origin',
  });
  const refused = await app.inject({ url: '/api/v1/alarms', headers: { origin: wall } });
  expect(refused.statusCode).toBe(401);
  expect(refused.headers['access-control-allow-origin']).toBe(wall);
  expect(refused.headers['access-control-expose-headers']).toContain('Call-Refusal');
  expect(refused.headers).not.toHaveProperty('access-control-allow-credentials');
});

test.for([
  { listed: [wall], origin: evil },
  { listed: [wall], origin: 'null' },
  { listed: [wall], origin: 'https://console.example.evil.example' },
  { listed: undefined, origin: wall },
])('a page of $origin gets no leave where $listed is listed', async ({ listed, origin }) => {
  const app = await appFor(listed);
  for (const request of [preflight(origin), { url: '/api/v1/alarms', headers: { origin } }]) {
    expect((await app.inject(request)).headers).not.toHaveProperty('access-control-allow-origin');
  }
});
