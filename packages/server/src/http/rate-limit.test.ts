import { pino } from 'pino';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { notAuthenticated, requireTokens } from './authorization.ts';
import type { HttpApp } from './http-app.ts';
import { permissionsOf } from './permissions.ts';
import { createRateLimit } from './rate-limit.ts';
import { createHttpApp } from './server/create-http-app.ts';

/** Two requests and three alarms a second, on a clock that stands still. */
function limitedApp() {
  const time = { now: 0 };
  const app = createHttpApp({ log: pino({ level: 'silent' }), trustProxy: ['127.0.0.1'] });
  const limit = createRateLimit({ perSecond: 2, intakePerSecond: 3 }, () => time.now);
  requireTokens(app, authenticate, { charge: limit });
  const response = { 200: Type.String() };
  app.get('/list', { config: { permission: 'alarms:read' }, schema: { response } }, async () => 'list');
  app.get('/people', { config: { permission: 'people:write' }, schema: { response } }, async () => 'people');
  app.get('/open', { config: { permission: 'public' }, schema: { response } }, async () => 'open');
  app.get(
    '/probe',
    { config: { permission: 'public', unlimited: true }, schema: { response } },
    async () => 'ok',
  );
  app.post(
    '/raise',
    { config: { permission: 'alarms:raise', intake: true, bodyOptional: true }, schema: { response } },
    async () => 'raised',
  );
  return { app, time };
}

/** The token is the tenant and the subject. */
async function authenticate(token: string) {
  const [tenant, subject = ''] = token.split('.');
  if (tenant === 'bad') throw notAuthenticated('unknown token');
  return {
    tenantId: Number(tenant),
    subject,
    userId: undefined,
    name: subject,
    role: 'operator' as const,
    permissions: new Set(permissionsOf.operator),
    stationIds: undefined,
    sessionId: undefined,
  };
}

const ask = (app: HttpApp, url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: url === '/raise' ? 'POST' : 'GET', url, headers });
const as = (token: string) => ({ authorization: `Bearer ${token}` });

test('each answer has the number of requests left, and a refusal has the time to retry', async () => {
  const { app, time } = limitedApp();
  const first = await ask(app, '/list', as('1.ada'));
  expect(first.headers).toMatchObject({
    'ratelimit-policy': '"default";q=2;w=1',
    ratelimit: '"default";r=1;t=1',
  });
  expect((await ask(app, '/list', as('1.ada'))).statusCode).toBe(200);

  const refused = await ask(app, '/list', as('1.ada'));
  expect(refused.statusCode).toBe(429);
  expect(refused.headers).toMatchObject({ 'retry-after': '1', ratelimit: '"default";r=0;t=1' });
  expect(refused.json()).toMatchObject({ code: 'too-many-requests', status: 429 });

  time.now += 1_000;
  expect((await ask(app, '/list', as('1.ada'))).statusCode).toBe(200);
});

test('a flood by one user does not affect others, nor the same name in another tenant', async () => {
  const { app } = limitedApp();
  for (let request = 0; request < 5; request += 1) await ask(app, '/list', as('1.ada'));
  expect((await ask(app, '/list', as('1.ada'))).statusCode).toBe(429);
  expect((await ask(app, '/list', as('1.bob'))).statusCode).toBe(200);
  expect((await ask(app, '/list', as('2.ada'))).statusCode).toBe(200);
});

test('a user who has used up the reads can still send alarms', async () => {
  const { app } = limitedApp();
  for (let request = 0; request < 5; request += 1) await ask(app, '/list', as('1.plc'));
  const raised = await ask(app, '/raise', as('1.plc'));
  expect(raised.statusCode).toBe(200);
  expect(raised.headers).toMatchObject({
    'ratelimit-policy': '"intake";q=3;w=1',
    ratelimit: '"intake";r=2;t=1',
  });
});

test('without a token the address is charged, as forwarded by a trusted proxy', async () => {
  const { app } = limitedApp();
  const from = (address: string) => ask(app, '/open', { 'x-forwarded-for': address });
  await from('192.0.2.1');
  await from('192.0.2.1');
  expect((await from('192.0.2.1')).statusCode).toBe(429);
  expect((await from('192.0.2.2')).statusCode).toBe(200);
});

test('refused requests are charged: bad tokens by address, missing permissions by user', async () => {
  const { app } = limitedApp();
  const statuses = async (url: string, token: string) => {
    const answers = [];
    for (let request = 0; request < 3; request += 1)
      answers.push((await ask(app, url, as(token))).statusCode);
    return answers;
  };
  expect(await statuses('/list', 'bad.token')).toEqual([401, 401, 429]);
  expect(await statuses('/people', '1.ada')).toEqual([403, 403, 429]);
  expect((await ask(app, '/list', as('1.bob'))).statusCode, 'from the same address').toBe(200);
});

test('paths that do not exist are charged too', async () => {
  const { app } = limitedApp();
  await ask(app, '/nowhere');
  await ask(app, '/nowhere');
  expect((await ask(app, '/nowhere')).statusCode).toBe(429);
});

test('a probe is never refused', async () => {
  const { app } = limitedApp();
  for (let request = 0; request < 5; request += 1) expect((await ask(app, '/probe')).statusCode).toBe(200);
});
