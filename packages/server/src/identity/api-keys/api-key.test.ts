import { crc32 } from 'node:zlib';
import { expect } from 'vitest';
import { permissionsOf } from '../../http/permissions.ts';
import { createTenant } from '../../people/create-tenant.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { addUser, type Installation, test as withInstallation } from '../../testing/identity.fixture.ts';
import { readApiKey, writeApiKey } from './api-key.ts';

const tokenOf = async (
  { runtime, door }: Installation,
  role: 'admin' | 'engineer' | 'auditor' | 'operator',
) => {
  const username = `${role}-${crypto.randomUUID()}`;
  await addUser(runtime, { username, role });
  const { access_token }: { access_token: string } = (await door.logIn(username)).json();
  return access_token;
};

/** An administrator who hands out keys. */
const test = withInstallation
  .extend('admin', ({ installation }) => tokenOf(installation, 'admin'))
  .extend(
    'make',
    ({ door, admin }) =>
      (body: object) =>
        door.post(admin, '/apikeys', body),
  );

test('a key is returned once, when it is created, and is accepted', async ({
  make,
  door,
  admin,
  authenticate,
}) => {
  const answer = await make({ name: 'PLC gateway' });
  expect(answer.statusCode).toBe(200);
  const { key, ...shown } = answer.json();
  expect(shown).toEqual({
    id: 1,
    name: 'PLC gateway',
    role: 'machine',
    stationIds: [],
    scopes: [...permissionsOf.machine],
    dataServerIds: [],
    pathPrefixes: [],
    replacesId: 0,
    ownerId: 1,
    owner: expect.stringMatching(/^admin-.* at the plant$/),
    createdAt: '2026-03-01T07:00:00+01:00',
    expiresAt: '2027-03-01T07:00:00+01:00',
  });
  expect(key).toMatch(/^tcs_1_1_[\w-]{43}_[0-9a-f]{8}$/);
  expect(await authenticate(key)).toEqual({
    tenantId: 1,
    subject: 'key:1',
    keyId: 1,
    userId: undefined,
    name: 'PLC gateway',
    role: 'machine',
    permissions: new Set(permissionsOf.machine),
    stationIds: undefined,
    sessionId: undefined,
    ownerId: 1,
    expiresAt: new Date('2027-03-01T06:00:00Z'),
  });
  const everywhere = await Promise.all(['/apikeys', '/apikeys/1'].map((path) => door.get(admin, path)));
  for (const { statusCode, body } of everywhere) {
    expect(statusCode).toBe(200);
    expect(body).not.toMatch(/"key"|hash|secret/i);
  }
});

test('only the hash of its secret is stored, even for a repeatable request', async ({
  runtime,
  door,
  admin,
}) => {
  const send = () =>
    door.send({
      method: 'POST',
      url: '/api/v1/apikeys',
      headers: { authorization: `Bearer ${admin}`, 'idempotency-key': 'once' },
      payload: { name: 'gateway' },
    });
  const { key } = (await send()).json();
  const secret = readApiKey(key)?.secret ?? 'none';
  const again = await send();
  expect(again.statusCode).toBe(409);
  expect(again.body).not.toContain(secret);
  const rows = await inTenant(runtime.database, 1, async (transaction) => [
    await transaction.selectFrom('apiKeys').selectAll().execute(),
    await transaction.selectFrom('idempotencyKeys').selectAll().execute(),
  ]);
  expect(rows.map(({ length }) => length)).toEqual([1, 1]);
  expect(JSON.stringify(rows)).not.toContain(secret);
});

test('a key is limited to its scopes', async ({ make, door }) => {
  const { key, scopes } = (await make({ name: 'reader', role: 'engineer', scopes: ['plant:read'] })).json();
  expect(scopes).toEqual(['plant:read']);
  expect((await door.get(key)).statusCode).toBe(200);
  expect((await door.post(key, '/stations', { name: 'North' })).statusCode).toBe(403);
});

test('a key with an empty list of scopes may do nothing', async ({ make, door }) => {
  const { key } = (await make({ name: 'idle', role: 'admin', scopes: [] })).json();
  expect((await door.get(key)).statusCode).toBe(403);
});

test('a key is limited to its stations', async ({ make, door, admin, authenticate }) => {
  await door.post(admin, '/stations', { name: 'North' });
  const { key } = (await make({ name: 'north', role: 'viewer', stationIds: [2] })).json();
  expect((await authenticate(key)).stationIds).toEqual([2]);
  expect((await door.get(key)).json().items).toMatchObject([{ id: 2 }]);
});

test.for<[string, object, string, string]>([
  [
    'a scope its role lacks',
    { role: 'machine', scopes: ['meta:read', 'keys:write'] },
    '/scopes/1',
    'keys:write',
  ],
  ['a scope nobody has', { scopes: ['root'] }, '/scopes/0', 'root'],
  ['an unknown station', { stationIds: [1, 9] }, '/stationIds/1', '9'],
  ['an unknown role', { role: 'root' }, '/role', ''],
  ['no time', { expiresAt: '2026-02-30T00:00:00' }, '/expiresAt', '2026-02-30'],
  ['a time that is past', { expiresAt: '2026-03-01T05:59:59Z' }, '/expiresAt', 'past'],
  ['an empty name', { name: '' }, '/name', ''],
  ['an end and none', { expiresAt: '2027-01-01T00:00:00Z', neverExpires: true }, '/neverExpires', ''],
  ['an unknown data server', { dataServerIds: [1, 9] }, '/dataServerIds/1', '9'],
  ['an empty path', { pathPrefixes: ['Fire/', ''] }, '/pathPrefixes/1', ''],
  ['an unknown key to replace', { replacesId: 9 }, '/replacesId', '9'],
])(
  'a key with %s is refused and the member named',
  async ([, body, pointer, text], { make, door, admin }) => {
    const answer = await make({ name: 'gateway', ...body });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toMatchObject([{ pointer }]);
    expect(answer.json().detail).toContain(text);
    expect((await door.get(admin, '/apikeys')).json().paging.total).toBe(0);
  },
);

test('a key expires at the given time, in the time zone of the station', async ({ make, door, clock }) => {
  const made = (await make({ name: 'visit', role: 'viewer', expiresAt: '2026-03-01T07:30:00' })).json();
  expect(made.expiresAt).toBe('2026-03-01T07:30:00+01:00');
  clock.set('2026-03-01T06:29:59Z');
  expect((await door.get(made.key)).statusCode).toBe(200);
  clock.set('2026-03-01T06:30:00Z');
  expect((await door.get(made.key)).statusCode).toBe(401);
});

test('a revoked key is rejected within five seconds, and revoking it again changes nothing', async ({
  make,
  door,
  clock,
}) => {
  const admin = (await make({ name: 'second administrator', role: 'admin' })).json().key;
  const { key } = (await make({ name: 'stolen', role: 'viewer' })).json();
  expect((await door.get(key)).statusCode).toBe(200);
  const answer = await door.delete(admin, '/apikeys/2');
  expect([answer.statusCode, answer.body]).toEqual([204, '']);
  clock.advance(5);
  expect((await door.get(key)).statusCode).toBe(401);
  expect((await door.delete(admin, '/apikeys/2')).statusCode).toBe(204);
  expect((await door.get(admin, '/apikeys/2')).json().revokedAt).toBe('2026-03-01T07:00:00+01:00');
  expect((await door.delete(admin, '/apikeys/3')).statusCode).toBe(404);
});

test('its use is recorded once a minute, soon after the request', async ({ make, door, admin, clock }) => {
  const { key } = (await make({ name: 'gateway', role: 'viewer' })).json();
  const lastUse = async () => (await door.get(admin, '/apikeys/1')).json().lastUsedAt;
  expect(await lastUse()).toBeUndefined();
  await door.get(key);
  await expect.poll(lastUse).toBe('2026-03-01T07:00:00+01:00');
  clock.advance(59);
  await door.get(key);
  clock.advance(1);
  await door.get(key);
  // If the use at 07:00:59 had been recorded, this one would not be.
  await expect.poll(lastUse, { timeout: 5_000 }).toBe('2026-03-01T07:01:00+01:00');
});

test('a wrong secret is not a use', async ({ make, door, admin }) => {
  await make({ name: 'gateway' });
  expect((await door.get(writeApiKey({ tenantId: 1, id: 1, secret: 'A'.repeat(43) }))).statusCode).toBe(401);
  expect((await door.get(admin, '/apikeys/1')).json().lastUsedAt).toBeUndefined();
});

const summed = (text: string) => `${text}_${crc32(text).toString(16).padStart(8, '0')}`;

test('a key that is changed in any way is rejected, even with a correct checksum', async ({
  make,
  runtime,
  authenticate,
}) => {
  await createTenant(runtime, { name: 'Elsewhere' });
  const { key }: { key: string } = (await make({ name: 'gateway' })).json();
  await make({ name: 'other gateway' });
  const rest = key.slice(0, -9);
  expect(summed(rest)).toBe(key);
  const changed = [
    `${key}0`,
    key.slice(0, -1),
    key.toUpperCase(),
    `${rest}_${'0'.repeat(8)}`,
    summed(rest.replace('tcs_1_1_', 'tcs_1_2_')),
    summed(rest.replace('tcs_1_1_', 'tcs_2_1_')),
    summed(rest.replace('tcs_1_1_', 'tcs_1_01_')),
    summed(rest.replace('tcs_1_1_', 'tcs_0_1_')),
    summed(rest.replace('tcs_1_1_', 'tcs_1_9999999999_')),
    summed(`${rest.slice(0, -2)}AB`),
    'tcs_',
    `tcs_${'1'.repeat(100_000)}`,
  ];
  for (const text of changed) {
    const outcome = await authenticate(text).catch((error: unknown) => error);
    expect({ text, outcome }).toMatchObject({ text, outcome: { code: 'not-authenticated' } });
  }
  expect(await authenticate(key)).toMatchObject({ subject: 'key:1' });
});

test('a key cannot have permissions that its creator lacks', async ({ make, door }) => {
  const scopes = ['keys:write', ...permissionsOf.viewer];
  const { key } = (await make({ name: 'key maker', role: 'admin', scopes })).json();
  expect((await door.post(key, '/apikeys', { name: 'viewer', role: 'viewer' })).statusCode).toBe(200);
  for (const role of ['operator', 'engineer', 'admin', 'machine', 'auditor']) {
    const answer = await door.post(key, '/apikeys', { name: role, role, scopes: [] });
    expect([role, answer.statusCode]).toEqual([role, 403]);
  }
});

test.for<['operator' | 'engineer' | 'auditor', number, number]>([
  ['operator', 403, 403],
  ['engineer', 403, 403],
  ['auditor', 200, 403],
])('%s reads keys: %i, makes and revokes them: %i', async ([role, reads, writes], { installation, door }) => {
  const token = await tokenOf(installation, role);
  expect((await door.get(token, '/apikeys')).statusCode).toBe(reads);
  expect((await door.post(token, '/apikeys', { name: 'x' })).statusCode).toBe(writes);
  expect((await door.delete(token, '/apikeys/1')).statusCode).toBe(writes);
});

test('a user limited to stations has no access to keys', async ({ runtime, door, make }) => {
  await make({ name: 'gateway' });
  await addUser(runtime, { username: 'bound', role: 'admin', stationIds: [1] });
  const bound = (await door.logIn('bound')).json().access_token;
  const answers = [
    await door.get(bound, '/apikeys'),
    await door.get(bound, '/apikeys/1'),
    await door.post(bound, '/apikeys', { name: 'x' }),
    await door.delete(bound, '/apikeys/1'),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403]);
});

test('keys are listed, searched and counted in their own tenant only', async ({
  runtime,
  make,
  door,
  admin,
}) => {
  for (const name of ['Pompe Nord', 'Pompe Sud', 'Chaudière']) await make({ name });
  const found = (await door.get(admin, '/apikeys?search=pompe&sort=-id&limit=1')).json();
  expect(found).toMatchObject({ items: [{ id: 2 }], paging: { offset: 0, limit: 1, total: 2 } });

  const tenantId = await createTenant(runtime, { name: 'Elsewhere' });
  await addUser(runtime, { username: 'eve', role: 'admin', tenantId });
  const eve = (await door.logIn('eve')).json().access_token;
  expect((await door.get(eve, '/apikeys')).json().paging.total).toBe(0);
  expect((await door.get(eve, '/apikeys/1')).statusCode).toBe(404);
  expect((await door.delete(eve, '/apikeys/1')).statusCode).toBe(404);
});

test('a log-out does not affect an API key', async ({ make, door, clock }) => {
  const { key } = (await make({ name: 'gateway', role: 'viewer' })).json();
  expect((await door.post(key, '/auth/logout')).statusCode).toBe(204);
  clock.advance(5);
  expect((await door.get(key)).statusCode).toBe(200);
});
