import { expect } from 'vitest';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { trailOf } from '../../testing/audit.fixture.ts';
import { goodPassword, test } from '../../testing/identity.fixture.ts';
import { arrive, enterPassword, secondStep, setUpApp } from '../../testing/second-factor.fixture.ts';

test('a user sets up an authenticator app, and gets ten recovery codes once', async ({
  runtime,
  door,
  clock,
}) => {
  const anna = await arrive(runtime, door);
  const path = `/users/${anna.id}/second-factors`;
  expect((await door.get(anna.token, path)).json()).toEqual({
    passkeys: [],
    recoveryCodesLeft: 0,
    required: false,
  });
  const { recoveryCodes } = await setUpApp(door, clock, anna);
  expect(recoveryCodes).toHaveLength(10);
  expect((await door.get(anna.token, path)).json()).toEqual({
    totp: { since: '2026-03-01T06:00:00' },
    passkeys: [],
    recoveryCodesLeft: 10,
    required: false,
  });
  clock.advance(60);
  expect((await setUpApp(door, clock, anna)).recoveryCodes, 'of a new telephone').toEqual([]);
});

test('an app counts only after its first code, so that a mistake locks nobody out', async ({
  runtime,
  door,
}) => {
  const { id, token } = await arrive(runtime, door);
  await door.post(token, `/users/${id}/totp`);
  const wrong = await door.post(token, `/users/${id}/totp/confirmation`, { code: '000000' });
  expect(wrong.json()).toMatchObject({ code: 'invalid-request', errors: [{ pointer: '/code' }] });
  expect((await door.logIn()).statusCode).toBe(200);
});

test('a secret waits 15 minutes for its first code', async ({ runtime, door, clock }) => {
  const { id, token } = await arrive(runtime, door);
  await door.post(token, `/users/${id}/totp`);
  clock.advance(901);
  const { access_token: fresh } = (await door.logIn()).json<{ access_token: string }>();
  const late = await door.post(fresh, `/users/${id}/totp/confirmation`, { code: '000000' });
  expect(late.json()).toMatchObject({ code: 'conflict' });
});

test('nobody sets up a second factor for somebody else, not even an administrator', async ({
  runtime,
  door,
}) => {
  const anna = await arrive(runtime, door);
  const boss = await arrive(runtime, door, { username: 'boss', role: 'admin' });
  for (const path of ['totp', 'passkeys/options', 'recovery-codes']) {
    const answer = await door.post(boss.token, `/users/${anna.id}/${path}`);
    expect(answer.json(), path).toMatchObject({ code: 'not-allowed' });
  }
  expect((await door.delete(boss.token, `/users/${anna.id}/totp`)).statusCode).toBe(403);
  expect((await door.get(boss.token, `/users/${anna.id}/second-factors`)).statusCode).toBe(200);
});

test('the secret is in the database only under seal, and recovery codes only as hashes', async ({
  runtime,
  door,
  clock,
}) => {
  const anna = await arrive(runtime, door);
  const { secret } = (await door.post(anna.token, `/users/${anna.id}/totp`)).json<{ secret: string }>();
  const { recoveryCodes } = await setUpApp(door, clock, anna);
  const stored = await inTenant(runtime.database, 1, async ({ client }) => {
    const { rows } = await client.query(
      `select (select json_agg(t) from totp_secrets t) as totp, (select json_agg(r) from recovery_codes r) as codes,
        (select json_agg(a) from audit_entries a) as trail, (select json_agg(i) from idempotency_keys i) as answers`,
    );
    return JSON.stringify(rows);
  });
  for (const text of [secret, ...recoveryCodes]) expect(stored).not.toContain(text);
});

test('an answer with a secret is not kept for a repetition of the request', async ({ runtime, door }) => {
  const { id, token } = await arrive(runtime, door);
  const ask = () =>
    door.send({
      method: 'POST',
      url: `/api/v1/users/${id}/totp`,
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'once' },
    });
  expect((await ask()).statusCode).toBe(200);
  expect((await ask()).json()).toMatchObject({ code: 'conflict' });
});

test('new recovery codes end the former ones', async ({ runtime, door, clock }) => {
  const anna = await arrive(runtime, door);
  const { recoveryCodes: former } = await setUpApp(door, clock, anna);
  const made = await door.post(anna.token, `/users/${anna.id}/recovery-codes`);
  const { recoveryCodes } = made.json<{ recoveryCodes: string[] }>();
  const enter = async (code = '') =>
    (await secondStep(door, await enterPassword(door), { recovery_code: code })).statusCode;
  expect(await enter(former[0])).toBe(400);
  expect(await enter(recoveryCodes[0])).toBe(200);
});

test('without a second factor there is nothing to recover', async ({ runtime, door }) => {
  const { id, token } = await arrive(runtime, door);
  expect((await door.post(token, `/users/${id}/recovery-codes`)).json()).toMatchObject({ code: 'conflict' });
});

test('a user removes the app, and the password is enough again', async ({ runtime, door, clock }) => {
  const anna = await arrive(runtime, door);
  await setUpApp(door, clock, anna);
  expect((await door.logIn()).json()).toMatchObject({ error: 'mfa_required' });
  expect((await door.delete(anna.token, `/users/${anna.id}/totp`)).statusCode).toBe(204);
  expect((await door.logIn()).statusCode).toBe(200);
  const left = await door.get(anna.token, `/users/${anna.id}/second-factors`);
  expect(left.json()).toMatchObject({ recoveryCodesLeft: 0 });
  expect((await door.delete(anna.token, `/users/${anna.id}/totp`)).statusCode).toBe(404);
});

test('an administrator resets the second factors of somebody who has lost them, which ends the sessions', async ({
  runtime,
  door,
  clock,
}) => {
  const anna = await arrive(runtime, door);
  const boss = await arrive(runtime, door, { username: 'boss', role: 'admin' });
  await setUpApp(door, clock, anna);
  expect((await door.delete(boss.token, `/users/${anna.id}/second-factors`)).statusCode).toBe(204);
  clock.advance(5);
  expect((await door.get(anna.token)).statusCode).toBe(401);
  expect((await door.logIn()).statusCode).toBe(200);
  const entries = await trailOf(runtime);
  const reset = entries.find(({ action }) => action === 'second-factors.reset');
  expect(reset).toMatchObject({
    actor: { id: String(boss.id) },
    object: { kind: 'user', id: String(anna.id) },
  });
});

test('a log-in that waits for the second factor ends with the password it began with', async ({
  runtime,
  door,
  clock,
}) => {
  const anna = await arrive(runtime, door);
  const { code } = await setUpApp(door, clock, anna);
  const stepToken = await enterPassword(door);
  clock.advance(30);
  const changed = await door.send({
    method: 'PUT',
    url: `/api/v1/users/${anna.id}/password`,
    headers: { authorization: `Bearer ${anna.token}` },
    payload: { currentPassword: goodPassword, password: 'quite another horse' },
  });
  expect(changed.statusCode).toBe(204);
  expect((await secondStep(door, stepToken, { totp: code() })).statusCode).toBe(400);
});
