import { expect } from 'vitest';
import { createAuthenticator } from '../../testing/authenticator.fixture.ts';
import { openInstallation, test } from '../../testing/identity.fixture.ts';
import {
  arrive,
  challengeOf,
  enterPassword,
  secondStep,
  setUpApp,
  setUpPasskey,
} from '../../testing/second-factor.fixture.ts';

const byPasskey = (passkey: object) => ({ grant_type: 'passkey', passkey: JSON.stringify(passkey) });

test('a user adds a passkey, gets recovery codes with the first factor, and sees it by name', async ({
  runtime,
  door,
}) => {
  const anna = await arrive(runtime, door);
  const { added } = await setUpPasskey(door, anna);
  expect(added).toEqual({
    id: 1,
    name: 'Telephone',
    createTime: '2026-03-01T06:00:00',
    recoveryCodes: expect.objectContaining({ length: 10 }),
  });
  const factors = await door.get(anna.token, `/users/${anna.id}/second-factors`);
  expect(factors.json()).toMatchObject({ passkeys: [{ id: 1, name: 'Telephone' }], recoveryCodesLeft: 10 });
  expect((await setUpPasskey(door, anna)).added.recoveryCodes, 'of a second device').toEqual([]);
});

test('a passkey signs in without a name or password', async ({ runtime, door }) => {
  const anna = await arrive(runtime, door);
  const { device } = await setUpPasskey(door, anna);
  const opened = await door.form(byPasskey(device.prove(await challengeOf(door))));
  expect(opened.json()).toMatchObject({ token_type: 'bearer', id: String(anna.id) });
  const token = opened.json<{ access_token: string }>().access_token;
  const factors = await door.get(token, `/users/${anna.id}/second-factors`);
  expect(factors.json()).toMatchObject({ passkeys: [{ lastUse: '2026-03-01T06:00:00' }] });
});

test('a passkey is a second factor after the password', async ({ runtime, door }) => {
  const anna = await arrive(runtime, door);
  const { device } = await setUpPasskey(door, anna);
  const asked = await door.logIn();
  expect(asked.json()).toMatchObject({ error: 'mfa_required', methods: ['passkey', 'recovery'] });
  const { mfa_token: stepToken } = asked.json<{ mfa_token: string }>();
  const options = await challengeOf(door, { mfa_token: stepToken });
  expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  expect(options, 'the passkeys of the user').toMatchObject({ allowCredentials: [{ type: 'public-key' }] });
  const passkey = JSON.stringify(device.prove(options));
  expect((await secondStep(door, stepToken, { passkey })).statusCode).toBe(200);
});

test('a passkey works while wrong codes have to wait', async ({ runtime, door, clock }) => {
  const anna = await arrive(runtime, door);
  const { device } = await setUpPasskey(door, anna);
  await setUpApp(door, clock, anna);
  const guessed = await enterPassword(door);
  for (let n = 0; n < 6; n++) await secondStep(door, guessed, { totp: '000000' });
  const stepToken = await enterPassword(door);
  expect((await secondStep(door, stepToken, { totp: '000000' })).statusCode).toBe(429);
  const passkey = JSON.stringify(device.prove(await challengeOf(door)));
  expect((await secondStep(door, stepToken, { passkey })).statusCode).toBe(200);
});

test('a proof is accepted once, also by another server', async ({ runtime, door, clock }) => {
  const { device } = await setUpPasskey(door, await arrive(runtime, door), { counter: 0 });
  const other = await openInstallation(runtime, clock);
  const options = await challengeOf(other.door);
  const proof = byPasskey(device.prove(options, { counter: 0 }));
  expect((await door.form(proof)).statusCode, 'the challenge of another server').toBe(200);
  expect((await other.door.form(proof)).statusCode).toBe(400);
  await other.close();
});

test('a challenge ends after five minutes', async ({ runtime, door, clock }) => {
  const { device } = await setUpPasskey(door, await arrive(runtime, door));
  const options = await challengeOf(door);
  clock.advance(300);
  expect((await door.form(byPasskey(device.prove(options)))).statusCode).toBe(400);
});

test.for([
  { fault: 'for a page of another host', faults: { origin: 'http://evil.example' } },
  { fault: 'for another host name', faults: { rpId: 'evil.example' } },
  { fault: 'of a device that did not check its user', faults: { isUserVerified: false } },
])('a proof $fault is refused', async ({ faults }, { runtime, door }) => {
  const { device } = await setUpPasskey(door, await arrive(runtime, door));
  const refused = await door.form(byPasskey(device.prove(await challengeOf(door), faults)));
  expect(refused.json()).toMatchObject({ error: 'invalid_grant' });
});

test('a counter that goes back is refused: the device may have been copied', async ({ runtime, door }) => {
  const { device } = await setUpPasskey(door, await arrive(runtime, door));
  const prove = async (counter: number) =>
    (await door.form(byPasskey(device.prove(await challengeOf(door), { counter })))).statusCode;
  expect(await prove(7)).toBe(200);
  expect(await prove(7)).toBe(400);
  expect(await prove(6)).toBe(400);
  expect(await prove(8)).toBe(200);
});

test('the passkey of one user does not open the account of another', async ({ runtime, door }) => {
  const anna = await arrive(runtime, door);
  const mallory = await arrive(runtime, door, { username: 'mallory' });
  await setUpPasskey(door, anna);
  const { device } = await setUpPasskey(door, mallory);
  const proof = device.prove(await challengeOf(door)) as { response: object };
  const userHandle = Buffer.from(`1/${anna.id}`).toString('base64url');
  const forged = { ...proof, response: { ...proof.response, userHandle } };
  expect((await door.form(byPasskey(forged))).statusCode).toBe(400);
  const passkey = JSON.stringify(device.prove(await challengeOf(door)));
  expect((await secondStep(door, await enterPassword(door), { passkey })).statusCode).toBe(400);
});

test.for(['', '{', '[]', '{"id":"x"}', 'null'])('%j is no proof', async (passkey, { door }) => {
  expect((await door.form({ grant_type: 'passkey', passkey })).statusCode).toBe(400);
});

test('a passkey is made for the user who asked, from the challenge of this server', async ({
  runtime,
  door,
}) => {
  const anna = await arrive(runtime, door);
  const mallory = await arrive(runtime, door, { username: 'mallory' });
  const optionsOf = async ({ id, token }: typeof anna) =>
    (await door.post(token, `/users/${id}/passkeys/options`)).json<{ challenge: string }>();
  const add = async (response: object) =>
    (await door.post(anna.token, `/users/${anna.id}/passkeys`, { name: 'x', response })).statusCode;
  const device = createAuthenticator();
  expect(await add(device.create(await optionsOf(mallory))), 'a challenge for another user').toBe(400);
  expect(await add(device.create(await challengeOf(door))), 'a challenge for a log-in').toBe(400);
  const own = { challenge: Buffer.from('own').toString('base64url') };
  expect(await add(device.create(own)), 'a challenge of their own').toBe(400);
  const options = await optionsOf(anna);
  expect(await add(device.create(options, { isUserVerified: false }))).toBe(400);
  expect(await add(device.create(options))).toBe(200);
  expect(await add(createAuthenticator().create(options)), 'the same challenge again').toBe(400);
});

test('a passkey is not made for a bare network address', async ({ runtime, door }) => {
  const { id, token } = await arrive(runtime, door);
  const answer = await door.send({
    method: 'POST',
    url: `/api/v1/users/${id}/passkeys/options`,
    headers: { authorization: `Bearer ${token}`, host: '192.0.2.7' },
  });
  expect(answer.json()).toMatchObject({ code: 'conflict', detail: expect.stringContaining('host name') });
});

test('a removed passkey opens nothing, and a user removes only their own', async ({ runtime, door }) => {
  const anna = await arrive(runtime, door);
  const mallory = await arrive(runtime, door, { username: 'mallory' });
  const { device, added } = await setUpPasskey(door, anna);
  const others = await door.delete(mallory.token, `/users/${mallory.id}/passkeys/${added.id}`);
  expect(others.statusCode).toBe(404);
  expect((await door.delete(anna.token, `/users/${anna.id}/passkeys/${added.id}`)).statusCode).toBe(204);
  expect((await door.form(byPasskey(device.prove(await challengeOf(door))))).statusCode).toBe(400);
  expect((await door.logIn()).statusCode).toBe(200);
});
