import { expect } from 'vitest';
import { readRouteTable } from '../../http/testing/two-plants.fixture.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { goodPassword, openInstallation, test } from '../../testing/identity.fixture.ts';
import { arrive, challengeOf, setUpApp, setUpPasskey } from '../../testing/second-factor.fixture.ts';
import { saveSecuritySettings } from '../security-settings/security-settings.store.ts';

const usual = {
  secondFactorRoles: [],
  confirmDangerous: true,
  confirmationMinutes: 10,
  deskMinutes: 15,
  twoPersonActions: [],
};
const newKey = { name: 'PLC' };
const wrong = { code: 'confirmation-required' };

test('these actions are dangerous', async () => {
  const dangerous = (await readRouteTable()).filter(({ config }) => config.confirm === true);
  expect(dangerous.map(({ method, path }) => `${method} ${path.replace('/api/v1/', '')}`).toSorted()).toEqual(
    [
      'DELETE apikeys/:id',
      'DELETE users/:id',
      'DELETE users/:id/passkeys/:passkey',
      'DELETE users/:id/second-factors',
      'DELETE users/:id/totp',
      'POST apikeys',
      'POST users/:id/passkeys/options',
      'POST users/:id/recovery-codes',
      'POST users/:id/totp',
      'PUT security-settings',
    ],
  );
});

test('a user with a second factor confirms a dangerous action ten minutes after the log-in', async ({
  runtime,
  door,
  clock,
}) => {
  const boss = await arrive(runtime, door, { username: 'boss', role: 'admin' });
  const { code } = await setUpApp(door, clock, boss);
  expect((await door.post(boss.token, '/apikeys', newKey)).statusCode, 'after the log-in').toBe(200);
  clock.advance(600);
  const asked = await door.post(boss.token, '/apikeys', newKey);
  expect(asked.statusCode).toBe(403);
  expect(asked.json()).toMatchObject(wrong);
  expect((await door.get(boss.token, '/apikeys')).statusCode, 'reading is not dangerous').toBe(200);
  const confirmed = await door.post(boss.token, '/auth/confirmation', { totp: code() });
  expect(confirmed.json()).toEqual({ until: '2026-03-01T06:20:00' });
  expect((await door.post(boss.token, '/apikeys', newKey)).statusCode).toBe(200);
});

test('a confirmation at one server counts at once at the others', async ({ runtime, door, clock }) => {
  const boss = await arrive(runtime, door, { username: 'boss', role: 'admin' });
  await setUpApp(door, clock, boss);
  const other = await openInstallation(runtime, clock);
  clock.advance(600);
  expect((await other.door.post(boss.token, '/apikeys', newKey)).json()).toMatchObject(wrong);
  await door.post(boss.token, '/auth/confirmation', { password: goodPassword });
  expect((await other.door.post(boss.token, '/apikeys', newKey)).statusCode).toBe(200);
  await other.close();
});

test('a passkey confirms', async ({ runtime, door, clock }) => {
  const boss = await arrive(runtime, door, { username: 'boss', role: 'admin' });
  const { device } = await setUpPasskey(door, boss);
  clock.advance(600);
  const passkey = device.prove(await challengeOf(door));
  expect((await door.post(boss.token, '/auth/confirmation', { passkey })).statusCode).toBe(200);
  expect((await door.post(boss.token, '/auth/confirmation', { passkey })).statusCode, 'once').toBe(400);
  expect((await door.post(boss.token, '/apikeys', newKey)).statusCode).toBe(200);
});

test('users without a second factor confirm only where the plant wants it', async ({
  runtime,
  door,
  clock,
}) => {
  const boss = await arrive(runtime, door, { username: 'boss', role: 'admin' });
  clock.advance(600);
  expect((await door.post(boss.token, '/apikeys', newKey)).statusCode).toBe(200);
  await inTenant(runtime.database, 1, (transaction) => saveSecuritySettings(transaction, usual));
  expect((await door.post(boss.token, '/apikeys', newKey)).json()).toMatchObject(wrong);
  await door.post(boss.token, '/auth/confirmation', { password: goodPassword });
  expect((await door.post(boss.token, '/apikeys', newKey)).statusCode).toBe(200);
});

test('API keys are not asked: there is nobody to answer', async ({ runtime, door, clock }) => {
  await inTenant(runtime.database, 1, (transaction) => saveSecuritySettings(transaction, usual));
  const boss = await arrive(runtime, door, { username: 'boss', role: 'admin' });
  const made = await door.post(boss.token, '/apikeys', { name: 'robot', role: 'admin' });
  const { key } = made.json<{ key: string }>();
  clock.advance(600);
  expect((await door.post(key, '/apikeys', newKey)).statusCode).toBe(200);
  const confirming = await door.post(key, '/auth/confirmation', { password: goodPassword });
  expect(confirming.json()).toMatchObject({ code: 'not-allowed' });
});

test('a refresh is no confirmation', async ({ runtime, door, clock }) => {
  await arrive(runtime, door, { username: 'boss', role: 'admin' });
  await inTenant(runtime.database, 1, (transaction) => saveSecuritySettings(transaction, usual));
  const opened = (await door.logIn('boss')).json<{ refresh_token: string }>();
  clock.advance(600);
  const { access_token: fresh } = (await door.refresh(opened.refresh_token)).json<{ access_token: string }>();
  expect((await door.post(fresh, '/apikeys', newKey)).json()).toMatchObject(wrong);
});

test('guesses at a desk that is signed in are bounded, in parallel and at two servers', async ({
  runtime,
  door,
  clock,
}) => {
  const boss = await arrive(runtime, door, { username: 'boss', role: 'admin' });
  const { code } = await setUpApp(door, clock, boss);
  const other = await openInstallation(runtime, clock);
  const guess = (n: number, body: object) =>
    (n % 2 ? door : other.door).post(boss.token, '/auth/confirmation', body);
  const codes = await Promise.all(
    Array.from({ length: 36 }, (_, n) => guess(n, { totp: String(n + 1).padStart(6, '0') })),
  );
  expect(codes.filter(({ statusCode }) => statusCode === 400)).toHaveLength(5);
  expect(codes.filter(({ statusCode }) => statusCode === 200)).toEqual([]);
  for (let n = 0; n < 6; n++) await guess(n, { password: `wrong ${n}` });
  expect((await guess(0, { password: goodPassword })).statusCode).toBe(429);
  clock.advance(30);
  expect((await guess(0, { totp: code() })).statusCode).toBe(200);
  await other.close();
});

test.for([
  { fault: 'nothing', body: {} },
  { fault: 'two proofs', body: { password: goodPassword, totp: '123456' } },
  { fault: 'a wrong password', body: { password: 'not the right one' } },
  { fault: 'a code without an app', body: { totp: '123456' } },
  { fault: 'a passkey that is none', body: { passkey: { id: 'x' } } },
])('$fault does not confirm', async ({ body }, { runtime, door }) => {
  const boss = await arrive(runtime, door, { username: 'boss', role: 'admin' });
  const answer = await door.post(boss.token, '/auth/confirmation', body);
  expect(answer.json()).toMatchObject({ code: 'invalid-request' });
});
