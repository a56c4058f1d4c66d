import { expect } from 'vitest';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { test } from '../../testing/app.fixture.ts';
import { trailOf } from '../../testing/audit.fixture.ts';

const keycloak = {
  name: 'Keycloak',
  issuer: 'https://login.example.com/realms/plant',
  clientId: 'tocsin',
  clientSecret: 'not for everybody',
  enabled: true,
  groupRoles: [{ group: '/operators', role: 'operator' }],
  createUsers: true,
};

test('the secret of an issuer is stored sealed, and never answered or recorded', async ({
  client,
  runtime,
}) => {
  const admin = client('admin');
  const id = (await admin.post('/issuers', keycloak)).json<number>();
  const read = await admin.get(`/issuers/${id}`);
  expect(read.json()).toMatchObject({
    hasClientSecret: true,
    scopes: 'openid profile',
    groupsClaim: 'groups',
  });
  expect(read.json().redirectUri).toBe('/api/v1/auth/oidc/callback');
  const { clientSecret: _secret, ...kept } = keycloak;
  const replaced = await admin.put(`/issuers/${id}`, { ...kept, name: 'Plant' });
  expect(replaced.json()).toMatchObject({ name: 'Plant', hasClientSecret: true });
  expect(`${read.body}${replaced.body}${JSON.stringify(await trailOf(runtime))}`).not.toContain('everybody');
  const stored = await inTenant(runtime.database, 1, (transaction) =>
    transaction.selectFrom('issuers').select('clientSecret').executeTakeFirstOrThrow(),
  );
  expect(stored.clientSecret?.length).toBeGreaterThan(20);
  expect(stored.clientSecret?.toString('latin1')).not.toContain('everybody');
});

test('a secret is not sent to another address than the one it was given for', async ({ client }) => {
  const admin = client('admin');
  const id = (await admin.post('/issuers', keycloak)).json<number>();
  const { clientSecret: _secret, ...kept } = keycloak;
  const moved = { ...kept, issuer: 'https://thief.example' };
  const answer = await admin.put(`/issuers/${id}`, moved);
  expect(answer.json()).toMatchObject({ code: 'invalid-request', errors: [{ pointer: '/clientSecret' }] });
});

test.for([
  [{ issuer: 'ftp://login.example.com' }, '/issuer'],
  [{ issuer: 'https://login.example.com/?realm=1' }, '/issuer'],
  [{ scopes: 'profile' }, '/scopes'],
] as const)('%o is refused at %s', async ([part, pointer], { client }) => {
  const answer = await client('admin').post('/issuers', { ...keycloak, ...part });
  expect(answer.json()).toMatchObject({ code: 'invalid-request', errors: [{ pointer }] });
});
