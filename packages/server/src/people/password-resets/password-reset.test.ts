import { expect } from 'vitest';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { trailOf } from '../../testing/audit.fixture.ts';
import { addUser, type Door, goodPassword, openInstallation, test } from '../../testing/identity.fixture.ts';

type Tokens = { access_token: string; refresh_token: string };

const newPassword = 'seven quiet herons wading';
const tokenOf = async (door: Door, name: string) => (await door.logIn(name)).json<Tokens>().access_token;

/** Anna is user 1, and the chief makes codes for her. */
async function openPlant(runtime: Runtime, door: Door) {
  await addUser(runtime);
  await addUser(runtime, { username: 'chief', role: 'admin' });
  const chief = await tokenOf(door, 'chief');
  const makeCode = async () =>
    (await door.post(chief, '/users/1/password-reset', {})).json<{ code: string; expiryTime: string }>();
  return { chief, makeCode };
}

const reset = (door: Door, body: object, remoteAddress = '203.0.113.7') =>
  door.send({ method: 'POST', url: '/api/v1/auth/password-reset', payload: body, remoteAddress });

const failuresOf = ({ database }: Runtime) =>
  inTenant(database, 1, async (transaction) =>
    transaction.selectFrom('passwordResets').select('failures').executeTakeFirst(),
  );

test('a user sets a new password with a code, once, and all their sessions end', async ({
  runtime,
  door,
}) => {
  const { makeCode } = await openPlant(runtime, door);
  const phone = (await door.logIn()).json<Tokens>();
  const { code, expiryTime } = await makeCode();
  expect(code).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/);
  expect(expiryTime).toBe('2026-03-02T06:00:00');
  const body = { username: 'ANNA', code: code.toLowerCase().replaceAll('-', ' '), password: newPassword };
  expect((await reset(door, body)).statusCode).toBe(204);
  expect((await door.logIn('anna', goodPassword)).statusCode).toBe(400);
  expect((await door.logIn('anna', newPassword)).statusCode).toBe(200);
  expect((await door.refresh(phone.refresh_token)).statusCode).toBe(400);
  expect((await reset(door, body)).statusCode, 'a second time').toBe(403);
  const trail = await trailOf(runtime);
  expect(trail.map(({ action }) => action)).toContain('user-password.allow-reset');
  expect(trail.find(({ action }) => action === 'user-password.reset')).toMatchObject({
    actor: { kind: 'user', id: '1' },
    object: { kind: 'user', id: '1' },
    address: '203.0.113.7',
  });
  expect(JSON.stringify(trail)).not.toContain(code);
});

test('a code ends after a day, with a newer code, and when the password is changed otherwise', async ({
  runtime,
  door,
  clock,
}) => {
  const { chief, makeCode } = await openPlant(runtime, door);
  const first = await makeCode();
  const second = await makeCode();
  const attempt = (code: string) => reset(door, { username: 'anna', code, password: newPassword });
  expect((await attempt(first.code)).statusCode, 'an older code').toBe(403);
  const url = '/api/v1/users/1';
  const headers = { authorization: `Bearer ${chief}` };
  const payload = { username: 'anna', role: 'operator', password: 'twelve brave otters' };
  expect((await door.send({ method: 'PUT', url, headers, payload })).statusCode).toBe(200);
  expect((await attempt(second.code)).statusCode, 'after another change').toBe(403);
  const third = await makeCode();
  clock.advance(86_400);
  expect((await attempt(third.code)).statusCode, 'a day later').toBe(403);
});

test('a weak password is refused, and the code stays valid', async ({ runtime, door }) => {
  const { makeCode } = await openPlant(runtime, door);
  const { code } = await makeCode();
  const weak = await reset(door, { username: 'anna', code, password: 'password1234' });
  expect(weak.statusCode).toBe(400);
  expect(weak.json()).toMatchObject({ errors: [{ pointer: '/password' }] });
  expect((await reset(door, { username: 'anna', code, password: newPassword })).statusCode).toBe(204);
});

test('five wrong tries end a code, at all servers together', async ({ runtime, door, clock }) => {
  const { makeCode } = await openPlant(runtime, door);
  const { code } = await makeCode();
  const other = await openInstallation(runtime, clock);
  const guess = (index: number) =>
    reset(
      index % 2 ? door : other.door,
      { username: 'anna', code: `AAAA-AAAA-AAAA-${1000 + index}`, password: newPassword },
      `198.51.100.${index}`,
    );
  const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => guess(index)));
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([403]));
  expect((await failuresOf(runtime))?.failures).toBeGreaterThanOrEqual(5);
  const right = await reset(other.door, { username: 'anna', code, password: newPassword }, '192.0.2.9');
  expect(right.statusCode).toBe(403);
  await other.close();
});

test('unknown and disabled users, and users without a code, get the answer of a wrong code', async ({
  runtime,
  door,
}) => {
  const { makeCode } = await openPlant(runtime, door);
  await makeCode();
  await addUser(runtime, { username: 'gone', enabled: false });
  const answers = await Promise.all(
    ['anna', 'nobody', 'gone', 'chief'].map((username) =>
      reset(door, { username, code: 'AAAA', password: newPassword }),
    ),
  );
  const bodies = answers.map(({ statusCode, body }) => `${statusCode} ${body}`);
  expect(new Set(bodies).size).toBe(1);
  expect(bodies[0]).toMatch(/^403 .*ask an administrator/);
});

test('nobody makes a code for somebody with more rights', async ({ runtime, door }) => {
  await addUser(runtime, { username: 'chief', role: 'admin' });
  await addUser(runtime, { username: 'olga', role: 'operator' });
  const olga = await tokenOf(door, 'olga');
  expect((await door.post(olga, '/users/1/password-reset', {})).statusCode).toBe(403);
  await addUser(runtime, { username: 'local', role: 'admin', stationIds: [1] });
  const local = await tokenOf(door, 'local');
  expect((await door.post(local, '/users/1/password-reset', {})).statusCode).toBe(403);
});

test('a repeated request does not show the code again, and the database does not hold it', async ({
  runtime,
  door,
}) => {
  const { chief } = await openPlant(runtime, door);
  const send = () =>
    door.send({
      method: 'POST',
      url: '/api/v1/users/1/password-reset',
      headers: { authorization: `Bearer ${chief}`, 'idempotency-key': 'once' },
      payload: {},
    });
  const { code } = (await send()).json<{ code: string }>();
  expect((await send()).statusCode).toBe(409);
  const stored = await inTenant(runtime.database, 1, async (transaction) => [
    await transaction.selectFrom('passwordResets').selectAll().execute(),
    await transaction.selectFrom('idempotencyKeys').select(['body', 'headers']).execute(),
  ]);
  expect(JSON.stringify(stored)).not.toContain(code);
});
