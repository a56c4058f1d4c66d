import { expect } from 'vitest';
import { trailOf } from '../../testing/audit.fixture.ts';
import { addUser, type Door, goodPassword, test } from '../../testing/identity.fixture.ts';

type Tokens = { access_token: string; refresh_token: string };

const next = 'seven quiet pumps below';
const logIn = async (door: Door) => (await door.logIn()).json<Tokens>();
const change = (door: Door, token: string, body: object, id = 1) =>
  door.send({
    method: 'PUT',
    url: `/api/v1/users/${id}/password`,
    headers: { authorization: `Bearer ${token}` },
    payload: body,
  });

test('people change their password, and all other sessions end', async ({ runtime, door }) => {
  await addUser(runtime);
  const [desk, phone] = [await logIn(door), await logIn(door)];
  const body = { currentPassword: goodPassword, password: next };
  expect((await change(door, desk.access_token, body)).statusCode).toBe(204);
  expect((await door.logIn()).statusCode).toBe(400);
  expect((await door.logIn('anna', next)).statusCode).toBe(200);
  expect((await door.refresh(phone.refresh_token)).statusCode).toBe(400);
  expect((await door.refresh(desk.refresh_token)).statusCode).toBe(200);
  const trail = await trailOf(runtime);
  expect(trail.some(({ action }) => action === 'user-password.change')).toBe(true);
  expect(JSON.stringify(trail)).not.toMatch(/quiet pumps|battery|argon2/);
});

test('without the current password nothing changes, and guesses are delayed', async ({ runtime, door }) => {
  await addUser(runtime);
  const { access_token: token } = await logIn(door);
  const guess = (n: number) => change(door, token, { currentPassword: `guess ${n}`, password: next });
  const answers = [];
  for (let n = 0; n < 30; n++) answers.push((await guess(n)).statusCode);
  expect(answers[0]).toBe(400);
  expect(answers.at(-1)).toBe(429);
  const right = await change(door, token, { currentPassword: goodPassword, password: next });
  expect(right.statusCode, 'not even the right one, until the delay is over').toBe(429);
  expect((await door.logIn('anna', next)).statusCode).not.toBe(200);
});

test.for([
  ['64 letters', 'valvepumptankfan'.repeat(4)],
  ['one kind of characters only', 'quietpumpsbelow'],
  ['spaces at the ends', '  seven quiet pumps below  '],
  ['other scripts', 'семь тихих насосов 七つの静かなポンプ'],
] as const)(
  'a password of %s is accepted, and counts as it was typed',
  async ([, typed], { runtime, door }) => {
    await addUser(runtime);
    const { access_token: token } = await logIn(door);
    const body = { currentPassword: goodPassword, password: typed };
    expect((await change(door, token, body)).statusCode).toBe(204);
    expect((await door.logIn('anna', typed)).statusCode).toBe(200);
    expect((await door.logIn('anna', `${typed} `)).statusCode).toBe(400);
  },
);

test('a password does not expire', async ({ runtime, door, clock }) => {
  await addUser(runtime);
  clock.advance(5 * 365 * 86_400);
  expect((await door.logIn()).statusCode).toBe(200);
});

test.for(['password1234', 'anna at the plant', 'short'])(
  '%s is refused as new',
  async (password, { runtime, door }) => {
    await addUser(runtime);
    const { access_token: token } = await logIn(door);
    const answer = await change(door, token, { currentPassword: goodPassword, password });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('/password');
  },
);

test('nobody changes the password of somebody else here, not even an administrator', async ({
  runtime,
  door,
}) => {
  await addUser(runtime);
  await addUser(runtime, { username: 'chief', role: 'admin' });
  const { access_token: chief } = (await door.logIn('chief')).json<Tokens>();
  const answer = await change(door, chief, { currentPassword: goodPassword, password: next });
  expect(answer.statusCode).toBe(403);
  expect(answer.body).toContain('PUT /users/{id}');
});
