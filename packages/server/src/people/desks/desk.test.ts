import type { DeskAnswer, TimelineEntry } from '@tocsin/contract';
import { describe, expect } from 'vitest';
import { readRouteTable } from '../../http/testing/two-plants.fixture.ts';
import { sha256 } from '../../identity/tokens/secret.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { trailOf } from '../../testing/audit.fixture.ts';
import { addUser, type Door, openInstallation, test } from '../../testing/identity.fixture.ts';
import { savePin } from '../self-service/user-pin.store.ts';

type Tokens = { access_token: string; refresh_token: string };

const tokenOf = async (door: Door, name: string) => (await door.logIn(name)).json<Tokens>().access_token;
const addPerson = async (runtime: Runtime, username: string, pin: string, more: object = {}) => {
  const id = await addUser(runtime, { username, ...more });
  await inTenant(runtime.database, 1, (transaction) => savePin(transaction, id, pin));
  return id;
};

/** A desk of user 1, `room`; Anna (2) and Bert (3) have PINs. The cache of sessions is older than its five seconds. */
async function openDesk({
  runtime,
  door,
  clock,
}: {
  runtime: Runtime;
  door: Door;
  clock: { advance(s: number): void };
}) {
  await addUser(runtime, { username: 'room', role: 'admin' });
  await addPerson(runtime, 'anna', '4711');
  await addPerson(runtime, 'bert', '9382', { role: 'admin' });
  const login = (await door.logIn('room')).json<Tokens>();
  const desk = login.access_token;
  expect((await door.post(desk, '/auth/desk', { name: 'Control room 1' })).statusCode).toBe(200);
  clock.advance(6);
  const enter = async (body: object) => door.post(desk, '/auth/desk/switch', body);
  const signIn = async (userId: number, pin: string) => {
    const answer = await enter({ userId, pin });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<DeskAnswer>();
  };
  return { desk, refreshToken: login.refresh_token, enter, signIn };
}

test('a session that becomes a desk may only look, whoever opened it', async ({ runtime, door, clock }) => {
  const { desk } = await openDesk({ runtime, door, clock });
  expect((await door.get(desk, '/alarms')).statusCode).toBe(200);
  expect((await door.get(desk, '/users')).statusCode).toBe(403);
  expect((await door.post(desk, '/alarms', { path: 'pump' })).statusCode).toBe(403);
  expect((await door.post(desk, '/users', { username: 'x' })).statusCode).toBe(403);
  expect((await door.post(desk, '/auth/desk', { name: 'again' })).statusCode).toBe(403);
});

test('people act at a desk in their own names', async ({ runtime, door, clock }) => {
  const { desk, signIn } = await openDesk({ runtime, door, clock });
  const machine = await tokenOf(door, 'bert');
  const alarmId = (await door.post(machine, '/alarms', { path: 'boiler' })).json<number>();
  const people = (await door.get(desk, '/auth/desk/people')).json();
  expect(people).toEqual({
    items: [
      { id: 2, name: 'anna at the plant' },
      { id: 3, name: 'bert at the plant' },
    ],
  });
  const anna = await signIn(2, '4711');
  expect(anna).toMatchObject({ expires_in: 900, id: '2', name: 'anna at the plant', token_type: 'bearer' });
  expect(anna).not.toHaveProperty('refresh_token');
  expect((await door.post(anna.access_token, `/alarms/${alarmId}/acknowledge`, {})).statusCode).toBe(200);
  const timeline = (await door.get(desk, `/alarms/${alarmId}/timeline`)).json<{ items: TimelineEntry[] }>();
  expect(timeline.items.find(({ kind }) => kind === 'acknowledged')).toMatchObject({
    actor: 'anna at the plant',
    actorId: 'user:2',
  });
  const trail = await trailOf(runtime);
  expect(trail.find(({ action }) => action === 'desk.switch')).toMatchObject({
    actor: { kind: 'user', id: '2' },
    after: { desk: 'Control room 1' },
  });
  expect(JSON.stringify(trail)).not.toContain('4711');
});

test('an administrator at a desk has no more rights than an operator', async ({ runtime, door, clock }) => {
  const { signIn } = await openDesk({ runtime, door, clock });
  const { access_token: bert } = await signIn(3, '9382');
  expect((await door.post(bert, '/alarms', { path: 'boiler' })).statusCode).toBe(200);
  for (const [path, body] of [
    ['/users', { username: 'x' }],
    ['/apikeys', { name: 'x' }],
    ['/scenarios', { name: 'x' }],
    ['/users/2/password-reset', {}],
  ] as const)
    expect((await door.post(bert, path, body)).statusCode, path).toBe(403);
});

test('what people change for themselves is closed at a desk', async ({ runtime, door, clock }) => {
  const { signIn } = await openDesk({ runtime, door, clock });
  const { access_token: anna } = await signIn(2, '4711');
  const headers = { authorization: `Bearer ${anna}` };
  const media = await door.send({
    method: 'PUT',
    url: '/api/v1/users/2/media',
    headers,
    payload: { media: [] },
  });
  expect(media.statusCode).toBe(403);
  expect(media.body).toContain('sign in with your password');
  expect((await door.get(anna, '/users/2/sessions')).statusCode).toBe(403);
  expect((await door.get(anna, '/me/console-settings')).statusCode).toBe(200);
});

test('only these routes for everybody are open at a desk', async () => {
  const open = (await readRouteTable()).filter(
    ({ permission, config }) => permission === 'self' && config.atDesk === true,
  );
  expect(open.map(({ method, path }) => `${method} ${path.replace('/api/v1/', '')}`).toSorted()).toEqual([
    'DELETE auth/desk',
    'GET approvals',
    'GET approvals/:id',
    'GET auth/desk/people',
    'GET me/console-settings',
    'GET me/views',
    'GET me/views/:id',
    'POST approvals/:id/decision',
    'POST auth/desk/leave',
    'POST auth/desk/switch',
    'POST auth/logout',
    'POST calls/attempts/:id/acknowledge',
    'POST calls/attempts/:id/refuse',
    'PUT me/console-settings',
  ]);
});

describe('whoever is signed in at a desk', () => {
  test('is signed out after 15 minutes without acting, and not before', async ({ runtime, door, clock }) => {
    const { signIn } = await openDesk({ runtime, door, clock });
    const { access_token: anna } = await signIn(2, '4711');
    clock.advance(800);
    expect((await door.post(anna, '/alarms', { path: 'boiler' })).statusCode).toBe(200);
    clock.advance(800);
    expect((await door.get(anna, '/alarms')).statusCode, 'acting counts').toBe(200);
    clock.advance(101);
    expect((await door.get(anna, '/alarms')).statusCode, 'reading does not').toBe(401);
  });

  test('leaves, and is signed out by the next person', async ({ runtime, door, clock }) => {
    const { desk, signIn } = await openDesk({ runtime, door, clock });
    const first = await signIn(2, '4711');
    const bert = await signIn(3, '9382');
    expect((await door.get(first.access_token, '/alarms')).statusCode).toBe(401);
    expect((await door.post(bert.access_token, '/auth/desk/leave', {})).statusCode).toBe(204);
    clock.advance(6);
    expect((await door.get(bert.access_token, '/alarms')).statusCode).toBe(401);
    expect((await door.get(desk, '/alarms')).statusCode, 'the desk stays').toBe(200);
  });

  test('is signed out when the desk is closed, whose rights need its password again', async ({
    runtime,
    door,
    clock,
  }) => {
    const { desk, refreshToken, signIn } = await openDesk({ runtime, door, clock });
    const { access_token: anna } = await signIn(2, '4711');
    expect((await door.delete(desk, '/auth/desk')).statusCode).toBe(204);
    expect((await door.refresh(refreshToken)).statusCode).toBe(400);
    expect((await door.get(anna, '/alarms')).statusCode).toBe(401);
    expect((await door.logIn('room')).statusCode).toBe(200);
  });

  test('is signed out when an administrator ends the session of the desk', async ({
    runtime,
    door,
    clock,
  }) => {
    const { signIn } = await openDesk({ runtime, door, clock });
    const { access_token: anna } = await signIn(2, '4711');
    const chief = await tokenOf(door, 'bert');
    const sessions = (await door.get(chief, '/users/1/sessions')).json<{ items: { id: string }[] }>().items;
    expect((await door.delete(chief, `/users/1/sessions/${sessions[0]?.id}`)).statusCode).toBe(204);
    clock.advance(6);
    expect((await door.get(anna, '/alarms')).statusCode).toBe(401);
  });
});

test('without a desk nobody signs in with a PIN', async ({ runtime, door }) => {
  await addPerson(runtime, 'anna', '4711');
  const token = await tokenOf(door, 'anna');
  const body = { userId: 1, pin: '4711' };
  expect((await door.post(token, '/auth/desk/switch', body)).statusCode).toBe(403);
  expect((await door.get(token, '/auth/desk/people')).statusCode).toBe(403);
});

test('viewers, disabled people, break-glass accounts and people of other stations cannot sign in', async ({
  runtime,
  door,
  clock,
}) => {
  await addUser(runtime, { username: 'room', stationIds: [1] });
  const strangers = [
    await addPerson(runtime, 'viewer', '4711', { role: 'viewer' }),
    await addPerson(runtime, 'gone', '4711', { enabled: false }),
    await addPerson(runtime, 'away', '4711', { stationIds: [2] }),
    await addPerson(runtime, 'emergency', '4711', { role: 'admin' }),
  ];
  const { database } = runtime;
  await inTenant(database, 1, (transaction) =>
    transaction.updateTable('users').set({ breakGlass: true }).where('username', '=', 'emergency').execute(),
  );
  const desk = await tokenOf(door, 'room');
  await door.post(desk, '/auth/desk', { name: 'Room' });
  clock.advance(6);
  expect((await door.get(desk, '/auth/desk/people')).json()).toEqual({ items: [] });
  for (const userId of strangers)
    expect((await door.post(desk, '/auth/desk/switch', { userId, pin: '4711' })).statusCode).toBe(403);
});

describe('a badge', () => {
  const give = (door: Door, token: string, id: number, badge: string) =>
    door.send({
      method: 'PUT',
      url: `/api/v1/users/${id}/badge`,
      headers: { authorization: `Bearer ${token}` },
      payload: { badge },
    });

  test('signs its owner in, and nobody else has it', async ({ runtime, door, clock }) => {
    const { enter } = await openDesk({ runtime, door, clock });
    const chief = await tokenOf(door, 'bert');
    expect((await give(door, chief, 2, '0004711812')).json()).toEqual({ id: 2, name: 'anna at the plant' });
    expect((await give(door, chief, 3, '0004711812')).statusCode).toBe(409);
    expect((await give(door, chief, 2, '0004711812')).statusCode, 'again').toBe(200);
    expect((await enter({ badge: '0004711812\n' })).json()).toMatchObject({ id: '2' });
    expect((await enter({ badge: '0004711813' })).statusCode).toBe(403);
    expect((await enter({ badge: '0004711812', pin: '4711' })).statusCode).toBe(400);
    expect((await door.delete(chief, '/users/2/badge')).statusCode).toBe(204);
    expect((await enter({ badge: '0004711812' })).statusCode).toBe(403);
  });

  test('is stored as a keyed hash, and in no answer or entry', async ({ runtime, door }) => {
    await addUser(runtime, { username: 'chief', role: 'admin' });
    const chief = await tokenOf(door, 'chief');
    await give(door, chief, 1, '0004711812');
    const stored = await inTenant(runtime.database, 1, (transaction) =>
      transaction.selectFrom('users').select('badgeHash').executeTakeFirstOrThrow(),
    );
    expect(stored.badgeHash?.length).toBe(32);
    const withoutKey = sha256('1:0004711812');
    expect(withoutKey.equals(stored.badgeHash ?? Buffer.alloc(0))).toBe(false);
    const seen = JSON.stringify(await trailOf(runtime)) + (await door.get(chief, '/users/1')).body;
    expect(seen).toContain('"hasBadge":true');
    expect(seen).not.toContain('0004711812');
  });
});

describe('guessing', () => {
  test('a PIN waits a minute after five wrong ones, and up to an hour later on', async ({
    runtime,
    door,
    clock,
  }) => {
    let { desk, refreshToken } = await openDesk({ runtime, door, clock });
    const enter = (pin: string) => door.post(desk, '/auth/desk/switch', { userId: 2, pin });
    for (let n = 0; n < 5; n += 1) expect((await enter(`100${n}`)).statusCode).toBe(403);
    const waits: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      const refused = await enter('4711');
      expect(refused.statusCode, 'even the right one').toBe(429);
      waits.push(Number(refused.headers['retry-after']));
      clock.advance(Number(refused.headers['retry-after']));
      const renewed = (await door.refresh(refreshToken)).json<Tokens>();
      [desk, refreshToken] = [renewed.access_token, renewed.refresh_token];
      expect((await enter('1009')).statusCode).toBe(403);
    }
    expect(waits).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
  });

  test('the right PIN forgives the wrong ones of that person at that desk', async ({
    runtime,
    door,
    clock,
  }) => {
    const { enter, signIn } = await openDesk({ runtime, door, clock });
    for (let round = 0; round < 6; round += 1) {
      for (let n = 0; n < 4; n += 1) expect((await enter({ userId: 2, pin: '1000' })).statusCode).toBe(403);
      await signIn(2, '4711');
    }
  });

  test('PINs of many people at one desk waits after 20 wrong ones', async ({ runtime, door, clock }) => {
    const { enter } = await openDesk({ runtime, door, clock });
    for (let n = 0; n < 20; n += 1)
      expect((await enter({ userId: 100 + n, pin: '1000' })).statusCode).toBe(403);
    expect((await enter({ userId: 2, pin: '4711' })).statusCode).toBe(429);
    expect((await enter({ badge: '0001' })).statusCode).toBe(429);
  });

  test('at two servers at once checks five PINs, not more', async ({ runtime, door, clock }) => {
    const { desk } = await openDesk({ runtime, door, clock });
    const other = await openInstallation(runtime, clock);
    const guess = (index: number) =>
      (index % 2 ? door : other.door).post(desk, '/auth/desk/switch', { userId: 2, pin: `${2000 + index}` });
    const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => guess(index)));
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 403)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(11);
    await other.close();
  });
});
