import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { permissionsOf } from '../http/permissions.ts';
import { verifyPassword } from '../identity/sessions/password.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import { test } from '../testing/app.fixture.ts';
import { createTenant } from './create-tenant.ts';

const password = 'correct horse battery';

/** Passwords and sessions are never read back through the interface. */
const hashOf = (runtime: Runtime, userId: number) =>
  inTenant(runtime.database, 1, async (transaction) => {
    const row = await transaction
      .selectFrom('users')
      .select('passwordHash')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    return row.passwordHash;
  });

const openSession = (runtime: Runtime, userId: number) =>
  inTenant(runtime.database, 1, async (transaction) => {
    const { tenantId, now } = transaction;
    await transaction
      .insertInto('sessions')
      .values({ tenantId, id: randomUUID(), userId, createdAt: now, expiresAt: now })
      .execute();
  });

const endedSessions = (runtime: Runtime, userId: number) =>
  inTenant(runtime.database, 1, async (transaction) => {
    const rows = await transaction
      .selectFrom('sessions')
      .select('reason')
      .where('userId', '=', userId)
      .where('revokedAt', 'is not', null)
      .execute();
    return rows.map(({ reason }) => reason);
  });

test('a user needs only a user name, and is a viewer by default', async ({ client }) => {
  const admin = client('admin');
  expect((await admin.post('/users', { username: 'anna' })).body).toBe('1');
  expect((await admin.get('/users/1')).json()).toEqual({
    id: 1,
    username: 'anna',
    name: 'anna',
    role: 'viewer',
    stationIds: [],
    enabled: true,
    language: '',
    media: [],
    lastChange: '2026-03-01T06:00:00',
  });
});

test('the media of a user keep their order, and the password is never returned', async ({ client }) => {
  const admin = client('admin');
  const body = {
    username: 'anna',
    name: 'Anna Ek',
    role: 'operator',
    stationIds: [1],
    enabled: false,
    language: 'sv',
    password,
    media: [
      { kind: 'Voice', address: '+46 (0)70-123 45 67' },
      { kind: 'Email', address: 'anna@plant.example', enabled: false },
      { kind: 'Push', address: 'token' },
    ],
  };
  await admin.post('/users', body);
  const { password: _, ...shown } = body;
  const confirmed = { by: 'Administrator', time: '2026-03-01T06:00:00' };
  const expected = {
    ...shown,
    id: 1,
    media: [
      { kind: 'Voice', address: '+460701234567', enabled: true, confirmed },
      { kind: 'Email', address: 'anna@plant.example', enabled: false, confirmed },
      { kind: 'Push', address: 'token', enabled: true, confirmed },
    ],
    lastChange: '2026-03-01T06:00:00',
  };
  expect((await admin.get('/users/1')).json()).toEqual(expected);
  expect((await admin.get('/users')).json().items).toEqual([expected]);

  const media = [{ kind: 'Sms', address: '070 123' }];
  const replaced = await admin.put('/users/1', { username: 'anna', media });
  expect(replaced.json()).toEqual({
    ...expected,
    media: [{ kind: 'Sms', address: '070123', enabled: true, confirmed }],
  });
});

test('a change keeps the members that it omits: enabled, role and stations', async ({ client }) => {
  const admin = client('admin');
  const media = [{ kind: 'Sms', address: '070123', enabled: true }];
  const body = { name: 'Anna Ek', role: 'operator', stationIds: [1], enabled: false, language: 'sv', media };
  await admin.post('/users', { username: 'anna', ...body });
  const { lastChange: _, ...before } = (await admin.get('/users/1')).json();
  const changed = await admin.put('/users/1', { username: 'anna.ek' });
  expect(changed.json()).toMatchObject({ ...before, username: 'anna.ek' });
});

test('only an explicit 0 gives a user of one station access to all stations', async ({ client }) => {
  const admin = client('admin');
  await admin.post('/users', { username: 'anna', stationIds: [1] });
  const put = (stationIds: number[]) => admin.put('/users/1', { username: 'anna', stationIds });
  for (const stationIds of [[], [0, 1]]) {
    const refused = await put(stationIds);
    expect(refused.json()).toMatchObject({ status: 400, errors: [{ pointer: '/stationIds' }] });
  }
  expect((await admin.get('/users/1')).json()).toMatchObject({ stationIds: [1] });
  expect((await put([0])).json()).toMatchObject({ stationIds: [] });
  // A user can be sent back as it was read.
  expect((await put([])).json()).toMatchObject({ stationIds: [] });
  expect((await put([1])).json()).toMatchObject({ stationIds: [1] });
});

test('a user limited to a station sees its users and those of all stations', async ({ client }) => {
  const admin = client('admin');
  await admin.post('/stations', { name: 'South' });
  await admin.post('/users', { username: 'all' });
  await admin.post('/users', { username: 'north', stationIds: [1] });
  await admin.post('/users', { username: 'south', stationIds: [2] });
  const bound = client('operator', { stationIds: [2] });
  const { items, paging } = (await bound.get('/users')).json();
  expect(items.map(({ username }: { username: string }) => username)).toEqual(['all', 'south']);
  expect(paging.total).toBe(2);
  expect((await bound.get('/users/2')).statusCode).toBe(404);
  expect((await bound.get('/users/3')).statusCode).toBe(200);
});

test('a wrong address is refused, with its place in the list', async ({ client }) => {
  const media = [
    { kind: 'Push', address: 't' },
    { kind: 'Email', address: 'anna' },
  ];
  const answer = await client('admin').post('/users', { username: 'anna', media });
  expect(answer.json()).toMatchObject({ status: 400, errors: [{ pointer: '/media/1/address' }] });
});

test.for(['anna ', ' anna', 'an\u0007na', 'an\u200Bna', 'an\u202Ena'])(
  'the user name %j is refused, because it could pass for another',
  async (username, { client }) => {
    const answer = await client('admin').post('/users', { username });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].pointer).toBe('/username');
  },
);

test('users are found by user name and name, and by role', async ({ client }) => {
  const admin = client('admin');
  await admin.post('/users', { username: 'aek', name: 'Anna Ek', role: 'operator' });
  await admin.post('/users', { username: 'bo', name: 'Bo Ås' });
  const ids = async (query: string) =>
    (await admin.get(`/users?${query}`)).json().items.map(({ id }: { id: number }) => id);
  expect(await ids('search=aek')).toEqual([1]);
  expect(await ids('search=as')).toEqual([2]);
  expect(await ids('role=operator')).toEqual([1]);
  expect(await ids('role=viewer&search=anna')).toEqual([]);
  expect((await admin.get('/users?role=king')).statusCode).toBe(400);
});

test('a user name is unique in its tenant in any case, and does not reveal other tenants', async ({
  client,
  runtime,
}) => {
  const tenantId = await createTenant(runtime, { name: 'Other plant' });
  await client('admin').post('/users', { username: 'Anna', name: 'Anna Ek' });
  const other = client('admin', { tenantId });
  expect((await other.post('/users', { username: 'aNNa' })).body).toBe('1');
  expect((await other.post('/users', { username: 'ANNA' })).statusCode).toBe(409);

  expect((await other.post('/users', { username: 'bo' })).body).toBe('2');
  expect((await other.put('/users/2', { username: 'Anna' })).statusCode).toBe(409);
  expect((await other.put('/users/2', { username: 'Bo' })).statusCode).toBe(200);
});

test('a user name is free again once its user was renamed or deleted', async ({ client }) => {
  const admin = client('admin');
  await admin.post('/users', { username: 'anna' });
  await admin.put('/users/1', { username: 'anna.ek' });
  expect((await admin.post('/users', { username: 'anna' })).statusCode).toBe(200);
  await admin.delete('/users/1');
  expect((await admin.post('/users', { username: 'anna.ek' })).statusCode).toBe(200);
});

test('a password stays until another one is sent', async ({ client, runtime }) => {
  const admin = client('admin');
  await admin.post('/users', { username: 'anna', password });
  const first = await hashOf(runtime, 1);
  expect(await verifyPassword(password, first)).toBe(true);
  await admin.put('/users/1', { username: 'anna', name: 'Anna Ek' });
  expect(await hashOf(runtime, 1)).toBe(first);
  await admin.put('/users/1', { username: 'anna', password: 'another long password' });
  expect(await verifyPassword('another long password', await hashOf(runtime, 1))).toBe(true);
  expect((await admin.post('/users', { username: 'bo', password: 'too short' })).statusCode).toBe(400);
});

test.for([
  { change: { enabled: false }, reason: 'disabled' },
  { change: { password: 'another long password' }, reason: 'password changed' },
  { change: { role: 'engineer' }, reason: 'role changed' },
  { change: { stationIds: [1] }, reason: 'stations changed' },
])('sessions end when a user is $reason', async ({ change, reason }, { client, runtime }) => {
  const admin = client('admin');
  const body = { username: 'anna', role: 'operator', password };
  await admin.post('/users', body);
  await admin.post('/users', { username: 'bo' });
  await openSession(runtime, 1);
  await openSession(runtime, 2);
  const { password: _, ...same } = body;
  await admin.put('/users/1', { ...same, name: 'Anna Ek' });
  expect(await endedSessions(runtime, 1)).toEqual([]);

  await admin.put('/users/1', { ...same, ...change });
  expect(await endedSessions(runtime, 1)).toEqual([reason]);
  expect(await endedSessions(runtime, 2)).toEqual([]);
});

test('the last administrator is never deleted, disabled, demoted or bound to a station', async ({
  client,
}) => {
  const admin = client('admin');
  const root = { username: 'root', role: 'admin' };
  await admin.post('/users', root);
  await admin.post('/users', { username: 'idle', role: 'admin', enabled: false });
  await admin.post('/users', { username: 'local', role: 'admin', stationIds: [1] });
  const endings = [{ enabled: false }, { role: 'engineer' }, { stationIds: [1] }];

  expect((await admin.delete('/users/1')).statusCode).toBe(409);
  for (const ending of endings)
    expect((await admin.put('/users/1', { ...root, ...ending })).statusCode).toBe(409);
  expect((await admin.put('/users/1', { ...root, name: 'Root' })).statusCode).toBe(200);

  await admin.post('/users', { username: 'second', role: 'admin' });
  for (const ending of endings) {
    expect((await admin.put('/users/1', { ...root, ...ending })).statusCode).toBe(200);
    const again = { ...root, enabled: true, stationIds: [0] };
    expect((await admin.put('/users/1', again)).statusCode).toBe(200);
  }
  expect((await admin.delete('/users/1')).statusCode).toBe(204);
  expect((await admin.delete('/users/4')).statusCode).toBe(409);
});

test('of two administrators who delete each other at the same time, one stays', async ({ client }) => {
  const admin = client('admin');
  await admin.post('/users', { username: 'one', role: 'admin' });
  await admin.post('/users', { username: 'two', role: 'admin' });
  const answers = await Promise.all([admin.delete('/users/1'), admin.delete('/users/2')]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(expect.arrayContaining([204, 409]));
});

test('users cannot create, change or delete a user with more rights than they have', async ({
  client,
  principals,
}) => {
  await client('admin').post('/users', { username: 'root', role: 'admin' });
  await client('admin').post('/users', { username: 'second', role: 'admin' });
  const clerk = client('admin', { name: 'clerk' });
  for (const [token, principal] of principals) {
    if (principal.name === 'clerk')
      principals.set(token, {
        ...principal,
        permissions: new Set([...permissionsOf.viewer, 'people:read', 'people:write']),
      });
  }
  expect((await clerk.post('/users', { username: 'new', role: 'admin' })).statusCode).toBe(403);
  expect((await clerk.post('/users', { username: 'new', role: 'viewer' })).statusCode).toBe(200);
  expect((await clerk.put('/users/3', { username: 'new', role: 'operator' })).statusCode).toBe(403);
  expect((await clerk.put('/users/2', { username: 'second', role: 'viewer' })).statusCode).toBe(403);
  expect((await clerk.delete('/users/2')).statusCode).toBe(403);
  expect((await clerk.delete('/users/3')).statusCode).toBe(204);
});

test('an administrator links a user to outside identities, and other changes keep them', async ({
  client,
}) => {
  const admin = client('admin');
  const identities = [
    { issuer: 'https://id.example', subject: '4711' },
    { issuer: 'https://login.example', subject: 'anna' },
  ];
  await admin.post('/users', { username: 'anna', identities });
  await admin.post('/users', { username: 'bert' });
  const anna = async () => (await admin.get('/users/1')).json();
  expect(await anna()).toMatchObject({ identities });
  expect((await admin.get('/users')).json().items[0]).toMatchObject({ identities });
  await admin.put('/users/1', { username: 'anna', name: 'Anna Ek' });
  expect(await anna()).toMatchObject({ name: 'Anna Ek', identities });
  const taken = await admin.put('/users/2', { username: 'bert', identities: identities.slice(0, 1) });
  expect(taken.statusCode).toBe(409);
  await admin.put('/users/1', { username: 'anna', identities: [] });
  expect(await anna()).not.toHaveProperty('identities');
  const linked = await admin.put('/users/2', { username: 'bert', identities: identities.slice(0, 1) });
  expect(linked.statusCode).toBe(200);
  expect((await client('operator').put('/users/2', { username: 'bert', identities })).statusCode).toBe(403);
});

test('a common password is refused for every user, and the answer says what to do', async ({ client }) => {
  const admin = client('admin');
  const refused = await admin.post('/users', { username: 'carla', password: 'Password1234' });
  expect(refused.statusCode).toBe(400);
  expect(refused.json()).toMatchObject({
    code: 'invalid-request',
    errors: [{ pointer: '/password', message: expect.stringContaining('take another') }],
  });
  const id = (await admin.post('/users', { username: 'carla', password })).body;
  const changed = (again: string) => admin.put(`/users/${id}`, { username: 'carla', password: again });
  expect((await changed('qwerty123456')).statusCode).toBe(400);
  expect((await changed('carla-carla-1')).statusCode, 'the name of the user').toBe(400);
  expect((await changed('seven grey geese')).statusCode).toBe(200);
});
