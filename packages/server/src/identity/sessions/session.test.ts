import type { Role } from '@tocsin/contract';
import { expect } from 'vitest';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { addUser, openInstallation, test, testInOneInstallation } from '../../testing/identity.fixture.ts';

const day = 86_400;

type Change = { role?: Role; enabled?: boolean; stationIds?: number[] };

function change({ database }: Runtime, changed: Change): Promise<unknown> {
  return inTenant(database, 1, (transaction) =>
    transaction.updateTable('users').set(changed).where('tenantId', '=', 1).where('id', '=', 1).execute(),
  );
}

test('a refresh token gives new tokens, and the session lives on', async ({ runtime, door, clock }) => {
  await addUser(runtime);
  const first = (await door.logIn()).json();
  clock.advance(13 * day);
  const answer = await door.refresh(first.refresh_token);
  expect(answer.statusCode).toBe(200);
  const second = answer.json();
  expect(Object.keys(second).toSorted()).toEqual(Object.keys(first).toSorted());
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect((await door.get(second.access_token)).statusCode).toBe(200);
  clock.advance(13 * day);
  expect((await door.refresh(second.refresh_token)).statusCode).toBe(200);
});

test('a refresh token is valid for fourteen days', async ({ runtime, door, clock }) => {
  await addUser(runtime);
  const [one, other] = [(await door.logIn()).json(), (await door.logIn()).json()];
  clock.advance(14 * day - 1);
  expect((await door.refresh(one.refresh_token)).statusCode).toBe(200);
  clock.advance(1);
  const late = await door.refresh(other.refresh_token);
  expect(late.statusCode).toBe(400);
  expect(late.json()).toMatchObject({ error: 'invalid_grant' });
});

test('a session expires 30 days after its log-in, however often it is refreshed', async ({
  runtime,
  door,
  clock,
}) => {
  await addUser(runtime);
  let session = (await door.logIn()).json();
  for (const days of [13, 13]) {
    clock.advance(days * day);
    session = (await door.refresh(session.refresh_token)).json();
    expect(session.expires_in).toBe(900);
  }
  clock.advance(4 * day - 60);
  const last = (await door.refresh(session.refresh_token)).json();
  expect(last.expires_in, 'no longer than the session').toBe(60);
  expect((await door.get(last.access_token)).statusCode).toBe(200);
  clock.advance(60);
  const late = await door.refresh(last.refresh_token);
  const neverGiven = await door.refresh(`tcr_1_${'A'.repeat(43)}`);
  expect([late.statusCode, late.json()]).toEqual([neverGiven.statusCode, neverGiven.json()]);
  expect((await door.get(last.access_token)).statusCode).toBe(401);
  expect((await door.logIn()).statusCode, 'a new log-in begins anew').toBe(200);
});

test('a shorter session lifetime applies to existing sessions', async ({ runtime, clock }) => {
  await addUser(runtime);
  const long = await openInstallation(runtime, clock);
  const short = await openInstallation(runtime, clock, { sessionHours: 12 });
  const one = (await long.door.logIn()).json();
  const other = (await long.door.logIn()).json();
  clock.advance(12 * 3_600 - 1);
  expect((await short.door.refresh(one.refresh_token)).json().expires_in).toBe(1);
  clock.advance(1);
  expect((await short.door.refresh(other.refresh_token)).statusCode).toBe(400);
  await Promise.all([long.close(), short.close()]);
});

test('a refresh token that is used twice ends the session for thief and owner', async ({
  runtime,
  door,
  clock,
}) => {
  await addUser(runtime);
  const stolen = (await door.logIn()).json().refresh_token;
  const thief = (await door.refresh(stolen)).json();
  expect((await door.get(thief.access_token)).statusCode).toBe(200);

  expect((await door.refresh(stolen)).json()).toMatchObject({ error: 'invalid_grant' });
  clock.advance(5);
  expect((await door.get(thief.access_token)).statusCode).toBe(401);
  expect((await door.refresh(thief.refresh_token)).statusCode).toBe(400);
});

test('of many concurrent uses of one refresh token at most one succeeds', async ({
  runtime,
  door,
  clock,
}) => {
  await addUser(runtime);
  const token = (await door.logIn()).json().refresh_token;
  const answers = await Promise.all(Array.from({ length: 8 }, () => door.refresh(token)));
  const served = answers.filter(({ statusCode }) => statusCode === 200);
  expect(served).toHaveLength(1);
  clock.advance(5);
  expect((await door.get(served[0]?.json().access_token)).statusCode).toBe(401);
});

test('a stolen refresh token does not end other sessions of the user', async ({ runtime, door, clock }) => {
  await addUser(runtime);
  const [desk, phone] = [(await door.logIn()).json(), (await door.logIn()).json()];
  await door.refresh(phone.refresh_token);
  await door.refresh(phone.refresh_token);
  clock.advance(5);
  expect((await door.get(desk.access_token)).statusCode).toBe(200);
});

testInOneInstallation.for([
  ['nothing of ours', 'hello'],
  ['an access token', 'eyJhbGciOiJFZERTQSJ9.e30.AAAA'],
  ['one with another tenant', 'swap'],
  ['one with a changed letter', 'mutate'],
  ['one of a tenant that cannot be', `tcr_99999999999_${'A'.repeat(43)}`],
  ['one with SQL in it', `tcr_1_${"' or 1=1 --".padEnd(43, 'A')}`],
] as const)('a refresh token that was not issued is refused: %s', async ([, what], { installation }) => {
  const { runtime, door } = installation;
  const username = crypto.randomUUID();
  await addUser(runtime, { username });
  const token: string = (await door.logIn(username)).json().refresh_token;
  expect(token).toMatch(/^tcr_1_[A-Za-z0-9_-]{43}$/);
  const presented = { swap: token.replace('tcr_1_', 'tcr_2_'), mutate: `${token.slice(0, -3)}xyz` };
  const text = what === 'swap' || what === 'mutate' ? presented[what] : what;
  const answer = await door.refresh(text);
  expect(answer.statusCode).toBe(400);
  expect(answer.json().error).toBe('invalid_grant');
});

test('only the hash of a refresh token is kept', async ({ runtime, door }) => {
  await addUser(runtime);
  const token: string = (await door.logIn()).json().refresh_token;
  const kept = await inTenant(runtime.database, 1, (transaction) =>
    transaction.selectFrom('refreshTokens').selectAll().where('tenantId', '=', 1).execute(),
  );
  expect(kept).toHaveLength(1);
  expect(JSON.stringify(kept)).not.toContain(token.slice(6));
  expect(kept[0]?.hash).toHaveLength(32);
});

test('a log-out takes effect within five seconds on every server', async ({ runtime, door, clock }) => {
  await addUser(runtime);
  const { access_token, refresh_token } = (await door.logIn()).json();
  expect((await door.get(access_token)).statusCode).toBe(200);
  const answer = await door.post(access_token, '/auth/logout');
  expect(answer.statusCode).toBe(204);
  expect(answer.body).toBe('');
  clock.advance(5);
  expect((await door.get(access_token)).statusCode).toBe(401);
  expect((await door.refresh(refresh_token)).statusCode).toBe(400);
});

test('a second log-out succeeds while the token is cached, and is refused afterwards', async ({
  runtime,
  door,
  clock,
}) => {
  await addUser(runtime);
  const { access_token } = (await door.logIn()).json();
  expect((await door.post(access_token, '/auth/logout', {})).statusCode).toBe(204);
  expect((await door.post(access_token, '/auth/logout', { all: true })).statusCode).toBe(204);
  clock.advance(5);
  expect((await door.post(access_token, '/auth/logout')).statusCode).toBe(401);
});

test('a disabled user loses access within five seconds, and cannot refresh', async ({
  runtime,
  door,
  clock,
}) => {
  await addUser(runtime);
  const { access_token, refresh_token } = (await door.logIn()).json();
  expect((await door.get(access_token)).statusCode).toBe(200);
  await change(runtime, { enabled: false });
  clock.advance(5);
  expect((await door.get(access_token)).statusCode).toBe(401);
  expect((await door.refresh(refresh_token)).statusCode).toBe(400);
  expect((await door.logIn()).json()).toMatchObject({ error: 'invalid_grant' });
});

test('a deleted user loses access within five seconds', async ({ runtime, door, clock }) => {
  await addUser(runtime);
  const { access_token, refresh_token } = (await door.logIn()).json();
  expect((await door.get(access_token)).statusCode).toBe(200);
  await inTenant(runtime.database, 1, (transaction) =>
    transaction.deleteFrom('users').where('tenantId', '=', 1).where('id', '=', 1).execute(),
  );
  clock.advance(5);
  expect((await door.get(access_token)).statusCode).toBe(401);
  expect((await door.refresh(refresh_token)).statusCode).toBe(400);
});

test('a user with a lower role keeps the token and loses the rights within five seconds', async ({
  runtime,
  door,
  clock,
}) => {
  await addUser(runtime, { role: 'engineer' });
  const { access_token } = (await door.logIn()).json();
  expect((await door.post(access_token, '/stations', { name: 'North' })).statusCode).toBe(200);
  await change(runtime, { role: 'viewer' });
  clock.advance(5);
  expect((await door.post(access_token, '/stations', { name: 'South' })).statusCode).toBe(403);
  expect((await door.get(access_token)).statusCode).toBe(200);
});

test('a user limited to a station sees no other within five seconds', async ({ runtime, door, clock }) => {
  await addUser(runtime, { role: 'engineer' });
  const { access_token } = (await door.logIn()).json();
  await door.post(access_token, '/stations', { name: 'North' });
  expect((await door.get(access_token)).json().items).toHaveLength(2);
  await change(runtime, { stationIds: [2] });
  clock.advance(5);
  expect((await door.get(access_token)).json().items).toMatchObject([{ id: 2 }]);
});

test('sessions are cached, so the database is not read at every request', async ({
  runtime,
  door,
  clock,
}) => {
  await addUser(runtime);
  const { access_token } = (await door.logIn()).json();
  await door.get(access_token);
  await change(runtime, { enabled: false });
  clock.advance(3.9);
  expect((await door.get(access_token)).statusCode).toBe(200);
});
