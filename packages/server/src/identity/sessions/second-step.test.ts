import { expect } from 'vitest';
import { inShort, trailOf } from '../../testing/audit.fixture.ts';
import { goodPassword, openInstallation, test } from '../../testing/identity.fixture.ts';
import { arrive, enterPassword, secondStep, setUpApp } from '../../testing/second-factor.fixture.ts';

test('a right password of a user with an app asks for the second factor, and opens nothing', async ({
  runtime,
  door,
  clock,
}) => {
  await setUpApp(door, clock, await arrive(runtime, door));
  const answer = await door.logIn();
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toEqual({
    error: 'mfa_required',
    error_description: expect.any(String),
    mfa_token: expect.stringMatching(/^tcm_1_[\w-]{43}$/),
    methods: ['totp', 'recovery'],
  });
  const { mfa_token: stepToken } = answer.json<{ mfa_token: string }>();
  expect((await door.get(stepToken)).statusCode, 'it is no access token').toBe(401);
});

test('the code of the app completes the log-in, once', async ({ runtime, door, clock }) => {
  const anna = await arrive(runtime, door);
  const { code } = await setUpApp(door, clock, anna);
  const used = await secondStep(door, await enterPassword(door), { totp: code() });
  expect(used.json(), 'the code of the set-up was used').toMatchObject({ error: 'invalid_grant' });
  clock.advance(30);
  const stepToken = await enterPassword(door);
  const opened = await secondStep(door, stepToken, { totp: code() });
  expect(opened.json()).toMatchObject({ token_type: 'bearer', id: String(anna.id) });
  expect((await door.get(opened.json<{ access_token: string }>().access_token)).statusCode).toBe(200);
  clock.advance(30);
  const again = await secondStep(door, stepToken, { totp: code() });
  expect(again.json(), 'the step is complete').toMatchObject({ error: 'invalid_grant' });
  expect((await trailOf(runtime)).map(inShort)).toContain(`user:${anna.id} session.open session`);
});

test('a recovery code completes a log-in, once', async ({ runtime, door, clock }) => {
  const anna = await arrive(runtime, door);
  const { recoveryCodes } = await setUpApp(door, clock, anna);
  const enter = async (code: string) =>
    (await secondStep(door, await enterPassword(door), { recovery_code: code })).statusCode;
  const typed = (recoveryCodes[3] ?? '').toLowerCase().replaceAll('-', ' ');
  expect(await enter(typed)).toBe(200);
  expect(await enter(typed)).toBe(400);
  expect(await enter(recoveryCodes[4] ?? '')).toBe(200);
  const left = await door.get(anna.token, `/users/${anna.id}/second-factors`);
  expect(left.json()).toMatchObject({ recoveryCodesLeft: 8 });
});

test('the refresh token of the second step can be kept in a cookie', async ({ runtime, door, clock }) => {
  const { code } = await setUpApp(door, clock, await arrive(runtime, door));
  clock.advance(30);
  const opened = await secondStep(door, await enterPassword(door), { totp: code(), cookie: '1' });
  expect(opened.json()).not.toHaveProperty('refresh_token');
  expect(opened.headers['set-cookie']).toMatch(/^tocsin_session=tcr_1_.*HttpOnly; SameSite=Strict/);
});

test('a second step waits for five minutes', async ({ runtime, door, clock }) => {
  const { code } = await setUpApp(door, clock, await arrive(runtime, door));
  const stepToken = await enterPassword(door);
  clock.advance(300);
  expect((await secondStep(door, stepToken, { totp: code() })).statusCode).toBe(400);
});

test.for([
  { fault: 'without a token', fields: { totp: '123456' } },
  { fault: 'without a factor', fields: { mfa_token: 'tcm_1_x' } },
  { fault: 'with two factors', fields: { mfa_token: 'tcm_1_x', totp: '123456', recovery_code: 'x' } },
])('a second step $fault is malformed', async ({ fields }, { door }) => {
  const answer = await door.form({ grant_type: 'second_factor', ...fields });
  expect(answer.json()).toMatchObject({ error: 'invalid_request' });
});

test('the step of one user does not take the code of another', async ({ runtime, door, clock }) => {
  await setUpApp(door, clock, await arrive(runtime, door));
  const mallory = await arrive(runtime, door, { username: 'mallory' });
  const { code } = await setUpApp(door, clock, mallory);
  clock.advance(30);
  expect((await secondStep(door, await enterPassword(door), { totp: code() })).statusCode).toBe(400);
});

test('a user who was disabled meanwhile does not get in', async ({ runtime, door, clock }) => {
  const anna = await arrive(runtime, door);
  const boss = await arrive(runtime, door, { username: 'boss', role: 'admin' });
  const { code } = await setUpApp(door, clock, anna);
  const stepToken = await enterPassword(door);
  clock.advance(30);
  const disabled = await door.send({
    method: 'PUT',
    url: `/api/v1/users/${anna.id}`,
    headers: { authorization: `Bearer ${boss.token}` },
    payload: { username: 'anna', enabled: false },
  });
  expect(disabled.statusCode).toBe(200);
  expect((await secondStep(door, stepToken, { totp: code() })).statusCode).toBe(400);
});

test('five wrong codes end a step, and the user has to wait whichever step comes next', async ({
  runtime,
  door,
  clock,
}) => {
  const { code } = await setUpApp(door, clock, await arrive(runtime, door));
  clock.advance(30);
  const stepToken = await enterPassword(door);
  for (let n = 0; n < 5; n++)
    expect((await secondStep(door, stepToken, { totp: '000000' })).statusCode).toBe(400);
  const next = await secondStep(door, await enterPassword(door), { totp: code() });
  expect(next.statusCode).toBe(429);
  expect(next.headers['retry-after']).toBe('1');
  clock.advance(1);
  expect((await secondStep(door, stepToken, { totp: code() })).statusCode, 'the step has ended').toBe(400);
  expect((await secondStep(door, await enterPassword(door), { totp: code() })).statusCode).toBe(200);
});

test.for([
  { kind: 'totp', guess: (n: number) => ({ totp: String(n).padStart(6, '0') }) },
  { kind: 'recovery code', guess: (n: number) => ({ recovery_code: `AAAAA-BBBBB-${n}` }) },
])(
  'of 200 parallel guesses of a $kind at two servers, over many steps, five are checked',
  async ({ guess }, { runtime, door, clock }) => {
    const { code } = await setUpApp(door, clock, await arrive(runtime, door));
    const other = await openInstallation(runtime, clock);
    const steps = await Promise.all(Array.from({ length: 20 }, () => enterPassword(door)));
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        secondStep(n % 2 ? door : other.door, steps[n % steps.length] ?? '', guess(n + 1)),
      ),
    );
    const statuses = Map.groupBy(answers, ({ statusCode }) => statusCode);
    expect(statuses.get(200) ?? []).toEqual([]);
    expect(statuses.get(400)).toHaveLength(5);
    expect(statuses.get(429)).toHaveLength(195);
    clock.advance(30);
    const right = await secondStep(door, await enterPassword(door), { totp: code() });
    expect(right.statusCode, 'the user gets in after the wait').toBe(200);
    await other.close();
  },
);

test('a right password does not reset the count of wrong ones before the second factor is right', async ({
  runtime,
  door,
  clock,
}) => {
  const { code } = await setUpApp(door, clock, await arrive(runtime, door));
  clock.advance(30);
  for (let n = 0; n < 4; n++) await door.logIn('anna', 'wrong wrong wrong');
  const stepToken = await enterPassword(door);
  await secondStep(door, stepToken, { totp: '000000' });
  await door.logIn('anna', 'wrong wrong wrong');
  expect((await door.logIn('anna', goodPassword)).statusCode, 'the fifth wrong one counts').toBe(429);
  expect((await secondStep(door, stepToken, { totp: code() })).statusCode).toBe(200);
  for (let n = 0; n < 4; n++) await door.logIn('anna', 'wrong wrong wrong');
  expect((await door.logIn()).statusCode, 'a complete log-in resets the count').toBe(400);
});

test('a wrong second factor is in the audit trail, without the code', async ({ runtime, door, clock }) => {
  await setUpApp(door, clock, await arrive(runtime, door));
  await secondStep(door, await enterPassword(door), { totp: '483920' });
  const refused = (await trailOf(runtime)).find(({ action }) => action === 'session.refuse');
  expect(refused).toMatchObject({ reason: 'wrong second factor' });
  expect(JSON.stringify(refused)).not.toContain('483920');
});
