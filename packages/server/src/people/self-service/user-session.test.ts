import type { UserSession } from '@tocsin/contract';
import { expect } from 'vitest';
import { trailOf } from '../../testing/audit.fixture.ts';
import { addUser, type Door, goodPassword, test } from '../../testing/identity.fixture.ts';

type Tokens = { access_token: string; refresh_token: string };

const fields = { grant_type: 'password', username: 'anna', password: goodPassword };
const logInWith = async (door: Door, device: string) =>
  (await door.form(fields, { 'user-agent': device })).json<Tokens>();
const sessionsOf = async (door: Door, token: string, id = 1) =>
  (await door.get(token, `/users/${id}/sessions`)).json<{ items: UserSession[] }>().items;

test('people see where they are signed in, and which session is the present one', async ({
  runtime,
  door,
  clock,
}) => {
  await addUser(runtime);
  const phone = await logInWith(door, 'A phone\u00e9\u0007');
  clock.advance(60);
  const desk = await logInWith(door, 'A desk');
  clock.advance(600);
  const renewed = (await door.refresh(phone.refresh_token)).json<Tokens>();
  expect(await sessionsOf(door, renewed.access_token)).toMatchObject([
    { device: 'A desk', openTime: '2026-03-01T06:01:00', lastUse: '2026-03-01T06:01:00', isCurrent: false },
    { device: 'A phone', openTime: '2026-03-01T06:00:00', lastUse: '2026-03-01T06:11:00', isCurrent: true },
  ]);
  const [first] = await sessionsOf(door, desk.access_token);
  expect(first).toMatchObject({ address: '203.0.113.7', isCurrent: true });
});

test('a session that is ended is dead at once, and the others live on', async ({ runtime, door }) => {
  await addUser(runtime);
  const [phone, desk] = [await logInWith(door, 'phone'), await logInWith(door, 'desk')];
  const lost = (await sessionsOf(door, desk.access_token)).find(({ device }) => device === 'phone');
  const path = `/users/1/sessions/${lost?.id}`;
  expect((await door.delete(desk.access_token, path)).statusCode).toBe(204);
  expect((await door.refresh(phone.refresh_token)).statusCode).toBe(400);
  expect((await door.get(desk.access_token)).statusCode).toBe(200);
  expect((await sessionsOf(door, desk.access_token)).map(({ device }) => device)).toEqual(['desk']);
  expect((await door.delete(desk.access_token, path)).statusCode, 'a second time').toBe(404);
  expect((await trailOf(runtime)).at(-1)).toMatchObject({
    action: 'session.end',
    object: { kind: 'session', id: lost?.id },
  });
});

test('sessions that have expired or were logged out are not listed', async ({ runtime, door, clock }) => {
  await addUser(runtime);
  const gone = await logInWith(door, 'gone');
  await door.post(gone.access_token, '/auth/logout', {});
  await logInWith(door, 'old');
  clock.advance(15 * 86_400);
  const desk = await logInWith(door, 'desk');
  expect((await sessionsOf(door, desk.access_token)).map(({ device }) => device)).toEqual(['desk']);
});

test('nobody sees or ends the sessions of others but an administrator', async ({ runtime, door }) => {
  await addUser(runtime);
  await addUser(runtime, { username: 'otto' });
  await addUser(runtime, { username: 'chief', role: 'admin' });
  const [anna, otto, chief] = await Promise.all(
    ['anna', 'otto', 'chief'].map(async (name) => (await door.logIn(name)).json<Tokens>().access_token),
  );
  const [own] = await sessionsOf(door, anna ?? '');
  const path = `/users/1/sessions/${own?.id}`;
  expect((await door.get(otto ?? '', '/users/1/sessions')).statusCode).toBe(403);
  expect((await door.delete(otto ?? '', path)).statusCode).toBe(403);
  expect((await door.delete(otto ?? '', `/users/2/sessions/${own?.id}`)).statusCode).toBe(404);
  expect(await sessionsOf(door, chief ?? '')).toHaveLength(1);
  expect((await door.delete(chief ?? '', path)).statusCode).toBe(204);
});
