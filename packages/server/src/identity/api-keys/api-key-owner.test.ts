import { expect } from 'vitest';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { addUser, type Door, test as withInstallation } from '../../testing/identity.fixture.ts';

const logIn = async (door: Door, username: string) => (await door.logIn(username)).json().access_token;

/** Two administrators; the second one makes keys. */
const test = withInstallation
  .extend('ada', async ({ runtime, door }) => {
    await addUser(runtime, { username: 'ada', role: 'admin' });
    return logIn(door, 'ada');
  })
  .extend('bob', async ({ runtime, door, ada: _ada }) => {
    await addUser(runtime, { username: 'bob', role: 'admin' });
    return logIn(door, 'bob');
  })
  .extend('make', ({ door, bob }) => async (body: object = {}, maker: string = bob) => {
    const answer = await door.post(maker, '/apikeys', { name: 'gateway', ...body });
    expect(answer.statusCode).toBe(200);
    return answer.json<{ id: number; key: string; ownerId: number; owner: string; expiresAt?: string }>();
  })
  .extend('dismiss', ({ door, ada, clock }) => async () => {
    expect((await door.delete(ada, '/users/2')).statusCode).toBe(204);
    clock.advance(5);
  });

/** Disables or enables the maker of the keys. */
const setEnabled = ({ database }: Runtime, enabled: boolean) =>
  inTenant(database, 1, (transaction) =>
    transaction.updateTable('users').set({ enabled }).where('tenantId', '=', 1).where('id', '=', 2).execute(),
  );

const raise = async (door: Door, key: string, body: object = {}) =>
  (await door.post(key, '/alarms', body)).statusCode;

test('a key expires after a year, unless it was requested without expiry', async ({ make, door, clock }) => {
  const usual = await make();
  const lasting = await make({ neverExpires: true });
  expect([usual.expiresAt, lasting.expiresAt]).toEqual(['2027-03-01T07:00:00+01:00', undefined]);
  clock.set('2027-03-01T05:59:59Z');
  expect(await raise(door, usual.key)).toBe(200);
  clock.set('2027-03-01T06:00:00Z');
  expect([await raise(door, usual.key), await raise(door, lasting.key)]).toEqual([401, 200]);
});

test('a key shows its owner', async ({ make, door, ada }) => {
  expect(await make()).toMatchObject({ ownerId: 2, owner: 'bob at the plant' });
  const { items } = (await door.get(ada, '/apikeys')).json();
  expect(items).toMatchObject([{ ownerId: 2, owner: 'bob at the plant' }]);
});

test('the keys of a deleted user, and the keys made with them, are rejected within five seconds', async ({
  make,
  door,
  ada,
  dismiss,
}) => {
  const own = await make({ role: 'admin' });
  const through = await make({}, own.key);
  const other = await make({}, ada);
  expect(through.ownerId).toBe(2);
  for (const { key } of [own, through, other]) expect(await raise(door, key)).toBe(200);
  await dismiss();
  const statuses = await Promise.all([own, through, other].map(({ key }) => raise(door, key)));
  expect(statuses).toEqual([401, 401, 200]);
  expect((await door.get(ada, '/apikeys/1')).json()).toMatchObject({
    revokedAt: '2026-03-01T07:00:00+01:00',
    ownerId: 2,
    owner: '',
  });
});

test('the keys of a disabled user are rejected until the user is enabled again', async ({
  runtime,
  make,
  door,
  clock,
}) => {
  const { key } = await make();
  const enable = async (enabled: boolean) => {
    await setEnabled(runtime, enabled);
    clock.advance(5);
    return raise(door, key);
  };
  expect([await enable(false), await enable(true)]).toEqual([401, 200]);
});

test('a key that another user adopts outlives its creator', async ({ make, door, ada, dismiss }) => {
  const { key } = await make();
  const adopted = await door.post(ada, '/apikeys/1/adopt');
  expect([adopted.statusCode, adopted.json()]).toMatchObject([
    200,
    { ownerId: 1, owner: 'ada at the plant' },
  ]);
  expect((await door.post(ada, '/apikeys/9/adopt')).statusCode).toBe(404);
  await dismiss();
  expect(await raise(door, key)).toBe(200);
});

test('a key that is bound to data servers and paths cannot create keys without the binding', async ({
  make,
  door,
  ada,
}) => {
  await door.post(ada, '/dataservers', { name: 'Other' });
  const bound = { dataServerIds: [1], pathPrefixes: ['Fire/'] };
  const { key, ...shown } = await make({ role: 'admin', ...bound });
  expect(shown).toMatchObject(bound);
  expect(await raise(door, key, { path: 'Fire/1' })).toBe(200);
  expect(await raise(door, key, { path: 'Water/1' })).toBe(403);
  expect(await raise(door, key, { path: 'Fire/1', dataServerId: 2 })).toBe(403);
  expect((await door.post(key, '/apikeys', { name: 'free' })).statusCode).toBe(403);
});

test('a key that replaces another one may define its tags', async ({ make, door, ada }) => {
  const first = await make();
  await raise(door, first.key, { path: 'Pump', priority: 2 });
  const second = await make({ replacesId: first.id });
  const third = await make({ replacesId: second.id });
  const stranger = await make();
  const priority = async () => (await door.get(ada, '/alarms/1')).json().priority;
  await raise(door, stranger.key, { path: 'Pump', priority: 9 });
  expect(await priority()).toBe(2);
  await raise(door, third.key, { path: 'Pump', priority: 3 });
  expect(await priority()).toBe(3);
});
