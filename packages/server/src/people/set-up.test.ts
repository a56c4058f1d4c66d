import { pino } from 'pino';
import { expect } from 'vitest';
import { buildApp } from '../app.ts';
import { notAuthenticated } from '../http/authorization.ts';
import { verifyPassword } from '../identity/sessions/password.ts';
import { openDatabase } from '../postgres/database.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, outsideTenants } from '../postgres/tenant-transaction.ts';
import { inShort, trailOf } from '../testing/audit.fixture.ts';
import { test as base, cloneDatabase } from '../testing/plant.fixture.ts';
import { testBox } from '../testing/test-box.ts';
import { createTenant } from './create-tenant.ts';
import { ensureFirstAdmin } from './first-admin.ts';

const username = 'root';
const password = 'correct horse battery';

/** `test` with a server on an empty installation. */
const test = base
  .extend('empty', async ({ clock }, { onCleanup }): Promise<Runtime> => {
    const { url, drop } = await cloneDatabase();
    const database = openDatabase({ url, connections: 8, clock: clock.now });
    onCleanup(async () => {
      await database.close();
      await drop();
    });
    return { database, log: pino({ level: 'silent' }), box: testBox };
  })
  .extend('app', ({ empty }, { onCleanup }) => {
    const app = buildApp(empty, async () => Promise.reject(notAuthenticated('nobody')), { basePath: '' });
    onCleanup(() => app.close());
    return app;
  })
  .extend(
    'setUp',
    ({ app }) =>
      (body: Record<string, string>) =>
        app.inject({ method: 'POST', url: '/api/v1/setup', payload: { username, password, ...body } }),
  );

const usersOf = (runtime: Runtime, tenantId: number) =>
  inTenant(runtime.database, tenantId, (transaction) =>
    transaction.selectFrom('users').select(['username', 'role', 'enabled', 'passwordHash']).execute(),
  );

const codeOf = async (runtime: Runtime) => {
  const outcome = await ensureFirstAdmin(runtime, {});
  if (outcome.kind !== 'set-up-code') throw new Error(`no code, but ${outcome.kind}`);
  return outcome.code;
};

test('a configured administrator is created once, even if two processes start together', async ({
  empty,
}) => {
  const start = () => ensureFirstAdmin(empty, { username, password });
  const outcomes = await Promise.all([start(), start(), start()]);
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['created', 'exists', 'exists']);
  expect(await start()).toEqual({ kind: 'exists' });

  const [root, ...others] = await usersOf(empty, 1);
  expect(others).toEqual([]);
  expect(root).toMatchObject({ username, role: 'admin', enabled: true });
  expect(await verifyPassword(password, root?.passwordHash)).toBe(true);
  expect(await usersOf(empty, 2)).toEqual([]);
  expect((await trailOf(empty)).map(inShort)).toEqual([
    'system tenant.create tenant',
    'system user.create user',
  ]);
});

test('a server that is set up creates neither a code nor a second administrator', async ({ runtime }) => {
  expect(await ensureFirstAdmin(runtime, {})).toEqual({ kind: 'exists' });
  expect(await ensureFirstAdmin(runtime, { username, password })).toEqual({ kind: 'exists' });
  expect(await usersOf(runtime, 1)).toEqual([]);
});

test('a configured password that is too short stops the server before it creates anything', async ({
  empty,
}) => {
  await expect(ensureFirstAdmin(empty, { username, password: 'short' })).rejects.toThrow('/password');
  expect((await ensureFirstAdmin(empty, {})).kind).toBe('set-up-code');
});

test('only the hash of a set-up code is stored, and only the last code is valid', async ({
  empty,
  setUp,
}) => {
  const first = await codeOf(empty);
  const second = await codeOf(empty);
  expect(second).toMatch(/^([A-HJKMNP-Z2-9]{4}-){2}[A-HJKMNP-Z2-9]{4}$/);
  const kept = await outsideTenants(empty.database, (transaction) =>
    transaction.selectFrom('setUpCodes').selectAll().execute(),
  );
  expect(kept).toHaveLength(1);
  expect(kept[0]?.codeHash).toHaveLength(32);
  expect((await setUp({ code: first })).statusCode).toBe(403);
  expect((await setUp({ code: second })).statusCode).toBe(200);
});

test('the code creates the first tenant and its administrator, once', async ({ empty, setUp }) => {
  const code = await codeOf(empty);
  const done = await setUp({ code: code.toLowerCase().replaceAll('-', ' ') });
  expect([done.statusCode, done.body]).toEqual([200, '1']);
  expect(await usersOf(empty, 1)).toMatchObject([{ username, role: 'admin', enabled: true }]);
  const tenants = await inTenant(empty.database, 1, (transaction) =>
    transaction.selectFrom('tenants').select(['id', 'name']).execute(),
  );
  expect(tenants).toEqual([{ id: 1, name: 'Tocsin' }]);
  const trail = await trailOf(empty);
  expect(trail.map(inShort)).toEqual(['anonymous tenant.create tenant', 'anonymous user.create user']);
  expect(trail[1]).toMatchObject({ address: '127.0.0.1', after: { username, secretsGiven: ['password'] } });
  expect(JSON.stringify(trail)).not.toContain(password);

  expect((await setUp({ code, username: 'second' })).json()).toMatchObject({ status: 409, code: 'conflict' });
  expect(await ensureFirstAdmin(empty, {})).toEqual({ kind: 'exists' });
});

test('two concurrent uses of the code create one administrator', async ({ empty, setUp }) => {
  const code = await codeOf(empty);
  const answers = await Promise.all([setUp({ code }), setUp({ code, username: 'second' })]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(expect.arrayContaining([200, 409]));
  expect(await usersOf(empty, 1)).toHaveLength(1);
});

test('five wrong tries invalidate the code, even all at once; a new start creates a new one', async ({
  empty,
  setUp,
}) => {
  const code = await codeOf(empty);
  const tries = Array.from({ length: 5 }, () => setUp({ code: 'AAAA-AAAA-AAAA' }));
  for (const { statusCode, body } of await Promise.all(tries)) {
    expect(statusCode).toBe(403);
    expect(JSON.parse(body)).toMatchObject({ code: 'not-allowed' });
  }
  expect((await setUp({ code })).statusCode).toBe(403);
  expect((await setUp({ code: await codeOf(empty) })).statusCode).toBe(200);
});

test('four wrong tries do not invalidate the code', async ({ empty, setUp }) => {
  const code = await codeOf(empty);
  for (let n = 0; n < 4; n++) await setUp({ code: 'AAAA-AAAA-AAAA' });
  expect((await setUp({ code })).statusCode).toBe(200);
});

test('without a code nothing is created, and a refused administrator leaves the code valid', async ({
  empty,
  setUp,
}) => {
  expect((await setUp({ code: '' })).statusCode).toBe(400);
  expect((await setUp({ code: 'x' })).statusCode).toBe(403);
  const code = await codeOf(empty);
  expect((await setUp({ code, username: ' root' })).statusCode).toBe(400);
  expect((await setUp({ code, password: 'short' })).statusCode).toBe(400);
  expect((await setUp({ code })).statusCode).toBe(200);
});

test('a tenant can be created with an administrator whose name exists in another tenant', async ({
  runtime,
}) => {
  const admin = { username: 'other.root', password };
  const tenantId = await createTenant(runtime, { name: 'Other plant', admin });
  expect(await usersOf(runtime, tenantId)).toMatchObject([{ username: 'other.root', role: 'admin' }]);
  expect(await createTenant(runtime, { name: 'Third', admin })).toBe(tenantId + 1);
});

test('a common password is refused for the first administrator, and the code stays valid', async ({
  empty,
  setUp,
}) => {
  await expect(ensureFirstAdmin(empty, { username, password: 'password1234' })).rejects.toThrow(
    /take another/,
  );
  const code = await codeOf(empty);
  expect((await setUp({ code, password: 'Tocsin-Tocsin' })).statusCode, 'the name of the tenant').toBe(400);
  expect((await setUp({ code, password: 'password1234' })).json().errors).toMatchObject([
    { pointer: '/password', message: expect.stringContaining('take another') },
  ]);
  expect((await setUp({ code })).statusCode).toBe(200);
});

test('anybody can ask whether the installation waits for its administrator, and learns no more', async ({
  empty,
  app,
  setUp,
}) => {
  const ask = async () => (await app.inject({ method: 'GET', url: '/api/v1/setup' })).json();
  const code = await codeOf(empty);
  expect(await ask()).toEqual({ needed: true });
  expect((await setUp({ code })).statusCode).toBe(200);
  expect(await ask()).toEqual({ needed: false });
  await createTenant(empty, { name: 'Second', admin: { username: 'other', password } });
  expect(await ask()).toEqual({ needed: false });
});
