import { expect } from 'vitest';
import type { Principal } from '../http/principal.ts';
import { readRouteTable } from '../http/testing/two-plants.fixture.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import { addUser, linkUser, test } from '../testing/identity.fixture.ts';
import { arrive, setUpApp, setUpPasskey } from '../testing/second-factor.fixture.ts';
import { authenticateOidcUser } from './authenticate-oidc-user.ts';
import { saveSecuritySettings } from './security-settings/security-settings.store.ts';
import { createShortLivedCache } from './tokens/short-lived-cache.ts';

type Saving = Parameters<typeof saveSecuritySettings>[1];

const usual: Saving = {
  secondFactorRoles: ['admin', 'engineer'],
  confirmDangerous: false,
  confirmationMinutes: 10,
  deskMinutes: 15,
  twoPersonActions: [],
};

const require = ({ database }: Parameters<typeof addUser>[0], settings: Saving = usual) =>
  inTenant(database, 1, (transaction) => saveSecuritySettings(transaction, settings));

test('a user whose role needs a second factor can do nothing but set one up', async ({
  runtime,
  door,
  clock,
}) => {
  await require(runtime);
  const anna = await arrive(runtime, door, { role: 'engineer' });
  const path = `/users/${anna.id}/second-factors`;
  const refused = await door.get(anna.token, '/alarms');
  expect(refused.statusCode).toBe(403);
  expect(refused.json()).toMatchObject({ code: 'second-factor-required' });
  expect((await door.get(anna.token, path)).json()).toMatchObject({ required: true });
  expect((await door.get(anna.token, '/meta')).statusCode).toBe(200);
  await setUpApp(door, clock, anna);
  expect((await door.get(anna.token, '/alarms')).statusCode, 'at once').toBe(200);
});

test('a passkey is enough, and other roles are not asked', async ({ runtime, door }) => {
  await require(runtime);
  const olga = await arrive(runtime, door, { username: 'olga', role: 'operator' });
  expect((await door.get(olga.token, '/alarms')).statusCode).toBe(200);
  const boss = await arrive(runtime, door, { username: 'boss', role: 'admin' });
  expect((await door.get(boss.token, '/alarms')).statusCode).toBe(403);
  await setUpPasskey(door, boss);
  expect((await door.get(boss.token, '/alarms')).statusCode).toBe(200);
});

test('a new rule applies to open sessions within five seconds', async ({ runtime, door, clock }) => {
  const anna = await arrive(runtime, door, { role: 'engineer' });
  expect((await door.get(anna.token, '/alarms')).statusCode).toBe(200);
  await require(runtime);
  clock.advance(5);
  expect((await door.get(anna.token, '/alarms')).statusCode).toBe(403);
  const { statusCode } = await door.post(anna.token, '/auth/logout');
  expect(statusCode, 'signing out stays possible').toBe(204);
});

test('the last second factor of such a role cannot be removed', async ({ runtime, door, clock }) => {
  await require(runtime);
  const anna = await arrive(runtime, door, { role: 'engineer' });
  await setUpApp(door, clock, anna);
  const { added } = await setUpPasskey(door, anna);
  expect((await door.delete(anna.token, `/users/${anna.id}/totp`)).statusCode).toBe(204);
  const last = await door.delete(anna.token, `/users/${anna.id}/passkeys/${added.id}`);
  expect(last.json()).toMatchObject({ code: 'conflict' });
});

test('a token of an outside issuer counts as proved there', async ({ runtime, clock }) => {
  await require(runtime);
  const userId = await addUser(runtime, { role: 'engineer' });
  const issuer = 'https://login.example';
  await linkUser(runtime, { userId, issuer, subject: 's' });
  const cache = createShortLivedCache<Principal | undefined>({ maxAgeMs: 1, maxEntries: 1, now: clock.now });
  const trusted = { issuer, tenantId: 1 } as Parameters<typeof authenticateOidcUser>[2]['trusted'];
  const principal = await authenticateOidcUser(runtime, cache, { trusted, subject: 's' });
  expect(principal).toMatchObject({ userId });
  expect(principal).not.toMatchObject({ lacksSecondFactor: true });
});

test('only these routes are open before the second factor is set up', async () => {
  const open = (await readRouteTable()).filter(({ config }) => config.beforeSecondFactor === true);
  expect(open.map(({ method, path }) => `${method} ${path.replace('/api/v1/', '')}`).toSorted()).toEqual([
    'DELETE users/:id/passkeys/:passkey',
    'DELETE users/:id/totp',
    'GET me/console-settings',
    'GET meta',
    'GET users/:id/second-factors',
    'POST auth/confirmation',
    'POST auth/logout',
    'POST users/:id/passkeys',
    'POST users/:id/passkeys/options',
    'POST users/:id/recovery-codes',
    'POST users/:id/totp',
    'POST users/:id/totp/confirmation',
  ]);
});
