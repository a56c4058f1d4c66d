import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../harness/http/http-client.ts';
import {
  basePaths,
  create,
  granted,
  idsOf,
  logInAs,
  openPlant,
  type Page,
  type Plant,
  problem,
  problemOf,
  raise,
  read,
} from '../../harness/plant.ts';
import { addTenant, firstAdmin } from '../../harness/server.ts';

type Tokens = { access_token: string; refresh_token: string; expires_in: number; id: string; name: string };
type Operation = [method: string, path: string];

/** Every path of the interface, and the ones beside an alarm. */
const operations: Operation[] = [
  ['GET', '/api/v1/alarms'],
  ['POST', '/api/v1/alarms'],
  ['GET', '/api/v1/alarms/histories'],
  ['GET', '/api/v1/alarms/statistics'],
  ['GET', '/api/v1/alarms/interventions'],
  ['POST', '/api/v1/call/users'],
  ['POST', '/api/v1/call/groups'],
  ['GET', '/api/v1/call/histories'],
  ['GET', '/api/v1/callgroups'],
  ['POST', '/api/v1/callgroups'],
  ['GET', '/api/v1/callgroupgroupings'],
  ['POST', '/api/v1/callgroupgroupings'],
  ['GET', '/api/v1/alarms/1'],
  ['GET', '/api/v1/alarms/1/timeline'],
  ['POST', '/api/v1/alarms/1/acknowledge'],
  ['POST', '/api/v1/alarms/1/reset'],
  ['POST', '/api/v1/alarms/1/mask'],
  ['POST', '/api/v1/alarms/1/unmask'],
  ['POST', '/api/v1/alarms/1/comment'],
  ['POST', '/api/v1/auth/logout'],
  ['GET', '/api/v1/meta'],
];

/** Answered without a token: log-in, probes and first set-up. */
const open = [
  'POST /api/v1/auth/login',
  // Other ways to log in, and their beginning.
  'GET /api/v1/auth/ways',
  'POST /api/v1/auth/passkey-options',
  'GET /api/v1/auth/oidc/{id}/start',
  'GET /api/v1/auth/oidc/callback',
  'POST /api/v1/auth/password-reset',
  'GET /api/v1/setup',
  'POST /api/v1/setup',
  'GET /livez',
  'GET /readyz',
  'GET /dispatchz',
  'GET /.well-known/security.txt',
  // These requests carry a signature instead.
  'GET /answer/{token}',
  'POST /answer/{token}',
  'POST /api/v1/channels/{id}/callback',
  // Calendar programs have only the secret in the address.
  'GET /api/v1/users/{id}/calendar.ics',
  'GET /api/v1/callgroups/{id}/calendar.ics',
];

const form = { 'content-type': 'application/x-www-form-urlencoded' };

describe.each(basePaths)('authentication at "%s"', (basePath) => {
  let plant: Plant;
  let admin: Tokens;

  const logIn = (fields: Record<string, string>): Promise<Answer> =>
    plant.someone().send('POST', '/api/v1/auth/login', {
      raw: new URLSearchParams(fields).toString(),
      headers: form,
    });
  const enter = async () => granted<Tokens>(await logIn({ grant_type: 'password', ...firstAdmin }));
  const refresh = (token: string) => logIn({ grant_type: 'refresh_token', refresh_token: token });
  const newKey = async (body: object) =>
    granted<{ id: number; key: string; name: string }>(await plant.client.post('/api/v1/apikeys', body));
  const refusalOf = (answer: Answer) => ({
    ...problemOf(answer),
    scheme: answer.headers['www-authenticate']?.split(' ')[0],
  });
  const refused = { ...problem(401, 'not-authenticated'), scheme: 'Bearer' };

  beforeAll(async () => {
    plant = await openPlant(basePath);
    admin = await enter();
    await raise(plant.client, { path: 'Ours' });
  });
  afterAll(() => plant.close());

  test.each(operations)('§5 %s %s without a token is 401 with WWW-Authenticate', async (method, path) => {
    const sent = method === 'POST' ? { body: { userIds: [1] } } : {};
    expect(refusalOf(await plant.someone().send(method, path, { ...sent, token: null }))).toEqual(refused);
  });

  test('§5 every operation of /openapi.json needs a token except log-in, set-up, probes, security.txt and signed requests', async () => {
    const document = (await plant.someone().get('/openapi.json')).json<{
      paths: Record<string, Record<string, { security?: unknown[] }>>;
    }>();
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => ({
        method: method.toUpperCase(),
        path: path.replace(/^\/alertws/, ''),
        isOpen: security?.length === 0,
      })),
    );
    expect(described.length).toBeGreaterThan(40);
    const isOpen = described.filter((operation) => operation.isOpen);
    expect(isOpen.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(open.toSorted());
    for (const { method, path } of described.filter((operation) => !operation.isOpen)) {
      const sent = method === 'POST' || method === 'PUT' ? { body: {} } : {};
      const answer = await plant.someone().send(method, path.replaceAll('{id}', '1'), sent);
      expect(answer.status, `${method} ${path}`).toBe(401);
      expect(answer.headers['www-authenticate'], `${method} ${path}`).toMatch(/^Bearer\b/);
    }
  });

  test('§5 the token is checked before the body', async () => {
    expect(refusalOf(await plant.someone().send('POST', '/api/v1/alarms', { raw: '{broken' }))).toEqual(
      refused,
    );
  });

  test.each([
    ['nonsense', 'Bearer nonsense'],
    ['an empty one', 'Bearer '],
    ['another scheme', 'Basic YWRtaW46YWRtaW4='],
    ['a token without a scheme', 'eyJhbGciOiJub25lIn0.e30.'],
    ['a token that nobody signed', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
    ['a key that was never made', 'Bearer tcs_1_1_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA_00000000'],
  ])('§5 %s as a token is 401', async (_what, authorization) => {
    expect(refusalOf(await plant.someone().get('/api/v1/alarms', { headers: { authorization } }))).toEqual(
      refused,
    );
  });

  test('§5 a token whose signature was changed is 401', async () => {
    const [head, claims, signature = ''] = admin.access_token.split('.');
    const changed = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    expect(refusalOf(await plant.someone(`${head}.${claims}.${changed}`).get('/api/v1/alarms'))).toEqual(
      refused,
    );
  });

  test('§5 a token whose claims were changed is 401', async () => {
    const [head, claims = '', signature] = admin.access_token.split('.');
    const read = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
    const longer = Buffer.from(JSON.stringify({ ...read, exp: 9_999_999_999 })).toString('base64url');
    expect(refusalOf(await plant.someone(`${head}.${longer}.${signature}`).get('/api/v1/alarms'))).toEqual(
      refused,
    );
  });

  test('§5 Authorization: Bearer <ACCESS_TOKEN> lets in', async () => {
    const headers = { authorization: `Bearer ${admin.access_token}` };
    expect((await plant.someone().get('/api/v1/alarms', { headers })).status).toBe(200);
  });

  test('§5 the scheme is taken in any case', async () => {
    const headers = { authorization: `bearer ${admin.access_token}` };
    expect((await plant.someone().get('/api/v1/alarms', { headers })).status).toBe(200);
  });

  test('§5 log-in answers exactly the members of the form', async () => {
    expect(Object.keys(admin).toSorted()).toEqual([
      'access_token',
      'expires_in',
      'id',
      'name',
      'refresh_token',
      'token_type',
    ]);
    expect(admin).toMatchObject({ token_type: 'bearer', expires_in: 900, id: '1', name: 'admin' });
  });

  test('§5 log-in answers 200 with JSON that is not cached', async () => {
    const answer = await logIn({ grant_type: 'password', ...firstAdmin });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
    expect(answer.headers['cache-control']).toContain('no-store');
  });

  test('§5 an access token lives 15 minutes', () => {
    const [, claims = ''] = admin.access_token.split('.');
    const { iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, number>;
    expect((exp ?? 0) - (iat ?? 0)).toBe(900);
  });

  test.each([
    ['a wrong password', 'invalid_grant', { grant_type: 'password', username: 'admin', password: 'wrong' }],
    ['an unknown user', 'invalid_grant', { grant_type: 'password', username: 'nobody', password: 'wrong' }],
    ['no password', 'invalid_request', { grant_type: 'password', username: 'admin' }],
    ['no grant_type', 'invalid_request', firstAdmin],
    ['another grant_type', 'unsupported_grant_type', { grant_type: 'client_credentials' }],
    ['no refresh token', 'invalid_request', { grant_type: 'refresh_token' }],
    ['a refresh token that is none', 'invalid_grant', { grant_type: 'refresh_token', refresh_token: 'x' }],
  ])('§5 log-in with %s is 400 and the OAuth error %s', async (_what, error, fields) => {
    const answer = await logIn(fields);
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
    expect(answer.json()).toMatchObject({ error });
  });

  test('§5 an unknown user and a wrong password are answered alike', async () => {
    const answers = await Promise.all(
      ['admin', 'nobody'].map((username) => logIn({ grant_type: 'password', username, password: 'wrong' })),
    );
    expect(answers[0]?.text).toBe(answers[1]?.text);
  });

  test('§5 log-in takes a form only: JSON is 415', async () => {
    const answer = await plant
      .someone()
      .post('/api/v1/auth/login', { grant_type: 'password', ...firstAdmin });
    expect(answer.status).toBe(415);
  });

  test('§5 grant_type=refresh_token answers new tokens, and they let in', async () => {
    const first = await enter();
    const second = granted<Tokens>(await refresh(first.refresh_token));
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await plant.someone(second.access_token).get('/api/v1/alarms')).status).toBe(200);
  });

  test('§5 a refresh token is good for one use', async () => {
    const { refresh_token } = await enter();
    granted(await refresh(refresh_token));
    const again = await refresh(refresh_token);
    expect(again.status).toBe(400);
    expect(again.json()).toMatchObject({ error: 'invalid_grant' });
  });

  test('§5 a refresh token used twice ends the session it belongs to', async () => {
    const first = await enter();
    const second = granted<Tokens>(await refresh(first.refresh_token));
    await refresh(first.refresh_token);
    expect((await refresh(second.refresh_token)).status).toBe(400);
  });

  test('§5 log-out answers 204 and revokes both tokens', async () => {
    const tokens = await enter();
    const client = plant.someone(tokens.access_token);
    expect((await client.post('/api/v1/auth/logout')).status).toBe(204);
    expect((await refresh(tokens.refresh_token)).status).toBe(400);
    const status = async () => (await client.get('/api/v1/alarms')).status;
    await expect.poll(status, { timeout: 10_000, interval: 200 }).toBe(401);
  });

  test('§5 log-out ends one session and leaves the others', async () => {
    const [one, other] = [await enter(), await enter()];
    await plant.someone(one.access_token).post('/api/v1/auth/logout');
    expect((await plant.someone(other.access_token).get('/api/v1/alarms')).status).toBe(200);
  });

  test('§5 an API key tcs_… lets a machine in, and is shown once', async () => {
    const { id, key } = await newKey({ name: 'PLC' });
    expect(key).toMatch(/^tcs_/);
    expect(await raise(plant.someone(key), { path: 'From the PLC' })).toBeGreaterThan(0);
    const answer = await plant.client.get(`/api/v1/apikeys/${id}`);
    expect(answer.text).not.toContain(key.slice(10));
    expect(answer.json()).toMatchObject({ id, name: 'PLC', role: 'machine' });
  });

  test('§5 a revoked API key is 401', async () => {
    const { id, key } = await newKey({ name: 'Lost' });
    expect((await plant.client.send('DELETE', `/api/v1/apikeys/${id}`)).status).toBe(204);
    expect(refusalOf(await plant.someone(key).get('/api/v1/alarms'))).toEqual(refused);
  });

  test('§5 an API key of which a letter was changed is 401', async () => {
    const { key } = await newKey({ name: 'Mistyped' });
    const last = key.at(-1) === '0' ? '1' : '0';
    expect(refusalOf(await plant.someone(`${key.slice(0, -1)}${last}`).get('/api/v1/alarms'))).toEqual(
      refused,
    );
  });

  test('§5 an API key may do what its scopes say and nothing else: 403', async () => {
    const { key } = await newKey({ name: 'Scoped', scopes: ['alarms:raise'] });
    expect((await plant.someone(key).post('/api/v1/alarms', { path: 'Scoped' })).status).toBe(200);
    const answer = await plant.someone(key).get('/api/v1/alarms');
    expect(answer.status).toBe(403);
    expect(answer.json()).toMatchObject({ status: 403, code: 'not-allowed' });
  });

  test('§5 an API key bound to a station sees and raises there only', async () => {
    const stationId = await create(plant.client, 'stations', { name: 'Alone' });
    const id = await raise(plant.client, { path: 'There', stationId });
    const machine = plant.someone((await newKey({ name: 'Bound', stationIds: [stationId] })).key);
    expect(await idsOf(machine, 'alarms')).toEqual([id]);
    expect((await machine.get('/api/v1/alarms/1')).status).toBe(404);
    expect((await machine.post('/api/v1/alarms', { path: 'Elsewhere', stationId: 1 })).status).toBe(403);
  });

  test.each([
    ['viewer', 'POST', '/api/v1/alarms', 403],
    ['viewer', 'GET', '/api/v1/alarms', 200],
    ['viewer', 'POST', '/api/v1/alarms/1/acknowledge', 403],
    ['viewer', 'POST', '/api/v1/call/users', 403],
    ['operator', 'POST', '/api/v1/alarms', 200],
    ['operator', 'POST', '/api/v1/callgroups', 403],
    ['engineer', 'POST', '/api/v1/callgroups', 200],
    ['engineer', 'GET', '/api/v1/apikeys', 403],
    ['auditor', 'GET', '/api/v1/alarms/histories', 200],
    ['auditor', 'POST', '/api/v1/alarms', 403],
    ['machine', 'GET', '/api/v1/alarms/histories', 403],
  ])('§5 the role %s gets from %s %s the status %i', async (role, method, path, status) => {
    const { key } = await newKey({ name: `As ${role}`, role });
    const sent = method === 'POST' ? { body: { name: `By ${role}`, userIds: [1] } } : {};
    expect((await plant.someone(key).send(method, path, sent)).status).toBe(status);
  });

  test('§5 a user who is disabled is let in no more', async () => {
    const user = await logInAs(plant, { username: 'leaver', role: 'viewer' });
    const body = { username: 'leaver', role: 'viewer', enabled: false };
    granted(await plant.client.send('PUT', `/api/v1/users/${user.id}`, { body }));
    const status = async () => (await user.client.get('/api/v1/alarms')).status;
    await expect.poll(status, { timeout: 10_000, interval: 200 }).toBe(401);
  });

  test('§5 the tenant comes from the token: no tenant sees the data of another', async () => {
    const password = 'another long password';
    await addTenant(plant.databaseUrl, { name: 'Other', admin: 'other', password });
    const other = plant.someone();
    granted(await other.logIn('other', password));
    const query = 'alarms?limit=1000&tenantId=1';
    expect(await idsOf(other, query)).toEqual([]);
    expect((await other.get('/api/v1/alarms/1')).status).toBe(404);
    expect((await read<Page<object>>(other, 'alarms/histories')).paging.total).toBe(0);
    const before = await idsOf(plant.client, query);
    expect(await raise(other, { path: 'Theirs' })).toBe(1);
    expect(await idsOf(plant.client, query)).toEqual(before);
  });
});
