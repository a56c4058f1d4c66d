import { expect, vi } from 'vitest';
import { inShort, trailOf } from '../../testing/audit.fixture.ts';
import { addUser, goodPassword, test } from '../../testing/identity.fixture.ts';

type Tokens = { access_token: string; refresh_token: string };

test('log-in and log-out are audited with user, address and session', async ({ door, runtime }) => {
  const userId = await addUser(runtime);
  const { access_token: token } = (await door.logIn()).json<Tokens>();
  expect((await door.post(token, '/auth/logout', {})).statusCode).toBe(204);
  const [, opened, closed, ...more] = await trailOf(runtime);
  expect(more).toEqual([]);
  const actor = { kind: 'user', id: String(userId), name: 'anna at the plant' };
  expect(opened).toMatchObject({ action: 'session.open', actor, address: '203.0.113.7' });
  expect(closed).toMatchObject({ action: 'session.close', actor, object: opened?.object });
  expect(opened?.requestId).not.toBe(closed?.requestId);
});

test('a refused log-in is audited once a minute for each user, without the password', async ({
  door,
  runtime,
}) => {
  const userId = await addUser(runtime);
  await addUser(runtime, { username: 'bert', enabled: false });
  for (let n = 0; n < 3; n++) expect((await door.logIn('anna', 'a wrong password')).statusCode).toBe(400);
  expect((await door.logIn('bert')).statusCode).toBe(400);
  expect((await door.logIn('nobody at all')).statusCode).toBe(400);
  const [first, second] = await vi.waitFor(async () => {
    const refusals = (await trailOf(runtime)).slice(1);
    expect(refusals).toHaveLength(2);
    return refusals.toSorted((one, other) => (one.object.id < other.object.id ? -1 : 1));
  });
  const object = { kind: 'user', id: String(userId) };
  const actor = { kind: 'anonymous', id: '', name: '' };
  expect(first).toMatchObject({ action: 'session.refuse', object, actor, address: '203.0.113.7' });
  expect(second).toMatchObject({ action: 'session.refuse', object: { id: String(userId + 1) } });
  expect(JSON.stringify([first, second])).not.toMatch(/wrong password"|correct horse/);
});

test('a refresh is not audited, and a refresh token that is used twice is', async ({ door, runtime }) => {
  await addUser(runtime);
  const { refresh_token: token } = (await door.logIn()).json<Tokens>();
  expect((await door.refresh(token)).statusCode).toBe(200);
  expect((await trailOf(runtime)).map(inShort)).toHaveLength(2);
  expect((await door.refresh(token)).statusCode).toBe(400);
  const [, opened, revoked, ...more] = await trailOf(runtime);
  expect(more).toEqual([]);
  expect(revoked).toMatchObject({
    action: 'session.revoke',
    actor: { kind: 'system' },
    object: opened?.object,
    reason: 'a refresh token was used twice',
  });
});

test('an API key is audited under its own name, even if it has the name of a user', async ({
  door,
  runtime,
}) => {
  await addUser(runtime, { role: 'admin' });
  const { access_token: token } = (await door.logIn()).json<Tokens>();
  const body = { name: 'anna at the plant', role: 'admin' };
  const { id, key } = (await door.post(token, '/apikeys', body)).json<{ id: number; key: string }>();
  const station = await door.post(key, '/stations', { name: 'Ridge' });
  expect(station.statusCode).toBe(200);
  expect((await door.delete(token, `/apikeys/${id}`)).statusCode).toBe(204);
  const trail = await trailOf(runtime);
  expect(trail.map(inShort)).toEqual([
    'system tenant.create tenant',
    'user:1 session.open session',
    'user:1 api-key.create api-key',
    `key:${id} station.create station`,
    'user:1 api-key.revoke api-key',
  ]);
  expect(trail.at(-1)).toMatchObject({
    before: { name: body.name },
    after: { revokedAt: expect.stringMatching('2026') },
  });
  expect(JSON.stringify(trail)).not.toContain(key.split('_').at(-1));
  expect(JSON.stringify(trail)).not.toContain(goodPassword);
});
