import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { test } from '../../testing/app.fixture.ts';

type Refusal = { detail: string; errors: { pointer: string; message: string }[] };

test('every problem has a list of errors, which may be empty', async ({ client }) => {
  const operator = client('operator');
  for (const path of ['/nothing', '/alarms/7', '/apikeys']) {
    expect((await operator.get(path)).json(), path).toMatchObject({ errors: [] });
  }
  expect((await operator.get('/alarms?limit=x')).json()).toMatchObject({ errors: [{ pointer: 'limit' }] });
});

test.for([
  ['/alarms?sort=name', 'sort', 'must be one of +id, -id'],
  ['/users?role=boss', 'role', 'must be one of viewer, operator, engineer, admin, machine, auditor'],
] as const)('GET %s is told what it may be', async ([path, pointer, start], { client }) => {
  const { errors } = (await client('admin').get(path)).json<Refusal>();
  expect(errors).toEqual([{ pointer, message: expect.stringContaining(start) }]);
});

test('the problem of an enumeration lists its values', async ({ client }) => {
  const { errors } = (
    await client('engineer').post('/callgroups', { name: 'A', mode: 'Random' })
  ).json<Refusal>();
  expect(errors).toEqual([{ pointer: '/mode', message: 'must be one of Sequential, Broadcast, Turnover' }]);
});

test('the problem of a format describes it in words', async ({ client }) => {
  const slots = [{ teamId: 1, day: 1, start: '8 am', end: '12:00' }];
  const body = { name: 'A', teams: [{ id: 1, name: 'T', userIds: [] }], roster: { slotMinutes: 60, slots } };
  const { errors } = (await client('engineer').post('/callgroups', body)).json<Refusal>();
  expect(errors).toEqual([
    { pointer: '/roster/slots/0/start', message: 'must be `hh:mm` on a slot boundary' },
  ]);
  const channel = { name: 'C', kind: 'simulated', settings: { url: 'ftp://phones', callbackSecret: 'x' } };
  const refused = (await client('admin').post('/channels', channel)).body;
  expect(refused).not.toMatch(/pattern|\^|\\\\d/);
});

test('a compressed body is answered with 415 and the accepted encoding', async ({ client }) => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const answer = await client('machine').post('/alarms', gzipSync('{"path":"pump"}'), headers);
  expect(answer.statusCode).toBe(415);
  expect(answer.headers['accept-encoding']).toBe('identity');
});

test('an unknown path is not found rather than invalid', async ({ client }) => {
  for (const path of ['/alarms/figures', '/alarms/0', '/alarms/4294967296', '/callgroups/night']) {
    const answer = await client('operator').get(path);
    expect(answer.statusCode, path).toBe(404);
    expect(answer.json(), path).toMatchObject({ code: 'not-found', instance: `/api/v1${path}` });
  }
});

test('the basic format of a date is accepted like the extended one', async ({ client }) => {
  const viewer = client('viewer');
  for (const from of ['20260429T090742Z', '20260429T090742%2B0200', '20260429T0907', '20260429']) {
    expect((await viewer.get(`/alarms/histories?from=${from}`)).statusCode, from).toBe(200);
  }
});

test('a mask that is too long is shortened to the maximum', async ({ client }) => {
  const operator = client('operator');
  await operator.post('/alarms', { path: 'X' });
  const answer = await operator.post('/alarms/1/mask', { reason: 'r', seconds: 4_294_967_295 });
  expect(answer.statusCode, answer.body).toBe(200);
});

test('a missing token and a bad token have different answers', async ({ app }) => {
  const challenge = async (headers: Record<string, string>) =>
    (await app.inject({ url: '/api/v1/alarms', headers })).headers['www-authenticate'];
  expect(await challenge({})).toBe('Bearer realm="tocsin"');
  expect(await challenge({ authorization: 'Bearer forged' })).toBe(
    'Bearer realm="tocsin", error="invalid_token"',
  );
  expect(await challenge({ authorization: 'Basic eDp5' })).toBe('Bearer realm="tocsin"');
});
