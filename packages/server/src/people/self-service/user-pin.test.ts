import { describe, expect, test as plain } from 'vitest';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { test } from '../../testing/app.fixture.ts';
import { isTrivialPin } from './trivial-pin.ts';
import { checkPin } from './user-pin.store.ts';

const judge = (runtime: Runtime, userId: number, given: string) =>
  inTenant(runtime.database, 1, (transaction) => checkPin(transaction, userId, given));

test('people set the PIN that they enter on the telephone, change it and delete it', async ({
  client,
  runtime,
}) => {
  await client('admin').post('/users', { username: 'anna', role: 'viewer' });
  const anna = client('viewer', { userId: 1 });
  expect(await judge(runtime, 1, '4711')).toBe('none');
  expect((await anna.put('/users/1/pin', { pin: '4711' })).statusCode).toBe(204);
  expect(await judge(runtime, 1, '4711')).toBe('right');
  for (const given of ['4712', '', '47110', '471', '４７１１'])
    expect(await judge(runtime, 1, given)).toBe('wrong');
  await anna.put('/users/1/pin', { pin: '08153926' });
  expect(await judge(runtime, 1, '4711')).toBe('wrong');
  expect(await judge(runtime, 1, '08153926')).toBe('right');
  expect((await anna.delete('/users/1/pin')).statusCode).toBe(204);
  expect(await judge(runtime, 1, '08153926')).toBe('none');
});

test('a PIN stays when the user is replaced, and goes with the user', async ({ client, runtime }) => {
  const admin = client('admin', { userId: 99 });
  await admin.post('/users', { username: 'anna' });
  await admin.put('/users/1/pin', { pin: '4711' });
  await admin.put('/users/1', { username: 'anna', name: 'Anna Berg' });
  expect(await judge(runtime, 1, '4711')).toBe('right');
  await admin.delete('/users/1');
  expect(await judge(runtime, 1, '4711')).toBe('none');
});

test('nobody reads a PIN: neither in answers, nor in the audit trail, nor in the database', async ({
  client,
  runtime,
}) => {
  const admin = client('admin', { userId: 99 });
  await admin.post('/users', { username: 'anna' });
  const answer = await admin.put('/users/1/pin', { pin: '83915' }, { 'idempotency-key': 'once' });
  expect(answer.body).toBe('');
  const trail = (await admin.get('/audit')).body;
  expect(trail).toContain('user-pin.change');
  expect(trail).toContain('"hasPin":true');
  const pages = [trail, (await admin.get('/users/1')).body, (await admin.get('/users')).body];
  for (const page of pages) expect(page).not.toMatch(/83915|pin_?hash/i);
  const stored = await inTenant(runtime.database, 1, async (transaction) => [
    await transaction.selectFrom('users').selectAll().execute(),
    await transaction.selectFrom('idempotencyKeys').select(['body', 'headers']).execute(),
  ]);
  expect(JSON.stringify(stored)).not.toContain('83915');
});

test('a stored idempotency key does not help to guess a PIN', async ({ client, runtime }) => {
  const admin = client('admin', { userId: 99 });
  await admin.post('/users', { username: 'anna' });
  await admin.put('/users/1/pin', { pin: '4711' }, { 'idempotency-key': 'one' });
  await admin.put('/users/1/pin', { pin: '9382' }, { 'idempotency-key': 'two' });
  const hashes = await inTenant(runtime.database, 1, (transaction) =>
    transaction.selectFrom('idempotencyKeys').select('requestHash').execute(),
  );
  expect(hashes).toHaveLength(2);
  expect(hashes[0]).toEqual(hashes[1]);
});

describe('the PIN of somebody else', () => {
  test.for(['viewer', 'operator', 'engineer', 'auditor', 'machine'] as const)(
    'is not changed by a %s',
    async (role, { client, runtime }) => {
      await client('admin').post('/users', { username: 'anna' });
      const stranger = client(role, { userId: 2 });
      expect((await stranger.put('/users/1/pin', { pin: '4711' })).statusCode).toBe(403);
      expect((await stranger.delete('/users/1/pin')).statusCode).toBe(403);
      expect(await judge(runtime, 1, '4711')).toBe('none');
    },
  );

  test('is set by an administrator of the whole tenant', async ({ client, runtime }) => {
    await client('admin').post('/users', { username: 'anna' });
    const bound = client('admin', { userId: 2, stationIds: [1] });
    expect((await bound.put('/users/1/pin', { pin: '4711' })).statusCode).toBe(403);
    expect((await client('admin', { userId: 2 }).put('/users/1/pin', { pin: '4711' })).statusCode).toBe(204);
    expect(await judge(runtime, 1, '4711')).toBe('right');
  });

  test('is not found in another tenant', async ({ client, runtime }) => {
    await client('admin').post('/users', { username: 'anna' });
    const other = client('admin', { tenantId: 2, userId: 2 });
    expect((await other.put('/users/1/pin', { pin: '4711' })).statusCode).toBe(404);
    expect(await judge(runtime, 1, '4711')).toBe('none');
  });
});

test('a user limited to one station sets their own PIN', async ({ client, runtime }) => {
  await client('admin').post('/users', { username: 'anna' });
  const anna = client('operator', { userId: 1, stationIds: [1] });
  expect((await anna.put('/users/1/pin', { pin: '4711' })).statusCode).toBe(204);
  expect(await judge(runtime, 1, '4711')).toBe('right');
});

test.for(['123', '123456789', '47a1', ' 4711', '４７１１', '', '47 11'])(
  '%j is no PIN: it has 4 to 8 digits',
  async (pin, { client }) => {
    await client('admin').post('/users', { username: 'anna' });
    const answer = await client('admin').put('/users/1/pin', { pin });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ pointer: '/pin' }] });
  },
);

test.for(['0000', '1234', '98765432', '7890', '1212', '123123', '1984', '2580', '55555'])(
  '%s is refused: others would try it first',
  async (pin, { client }) => {
    await client('admin').post('/users', { username: 'anna' });
    const answer = await client('admin').put('/users/1/pin', { pin });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('take another');
    expect(answer.body).not.toContain(pin);
  },
);

plain('most PINs are taken, of every length', () => {
  const countRefused = (length: number, stride: number) => {
    const pins = Array.from({ length: 10_000 }, (_, n) => String(n * stride).padStart(length, '0'));
    return pins.filter(isTrivialPin).length;
  };
  expect(countRefused(4, 1)).toBe(328);
  expect(countRefused(6, 97)).toBeLessThan(30);
  expect(countRefused(8, 9_973)).toBeLessThan(10);
});
