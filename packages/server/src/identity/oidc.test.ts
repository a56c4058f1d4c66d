import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createTenant } from '../people/create-tenant.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { addUser } from '../testing/identity.fixture.ts';
import { type Neighbour, startIssuer, startNeighbour, tokenFrom } from '../testing/issuer.fixture.ts';
import { test } from '../testing/plant.fixture.ts';
import { createAuthenticate } from './authenticate.ts';
import type { TrustedIssuer } from './oidc.ts';

const audience = 'https://tocsin.example';
const refused = { code: 'not-authenticated', message: 'The access token is not valid' };

/** The provider tells the real time, so these tests do too, unless they look ahead. */
const authenticateWith = (runtime: Runtime, issuers: TrustedIssuer[], ahead = { ms: 0 }) =>
  createAuthenticate({ runtime, issuers, now: () => new Date(Date.now() + ahead.ms) });

let issuer: Neighbour;
beforeAll(async () => {
  issuer = await startIssuer('ES256', ['anna', 'nobody', 'dieter']);
});
afterAll(() => issuer.close());

describe('somebody known here comes in with a token of a trusted issuer', () => {
  test.for(['EdDSA', 'ES256', 'RS256', 'PS256'])('signed with %s', async (algorithm, { runtime }) => {
    const provider = await startIssuer(algorithm, ['anna']);
    await addUser(runtime, { username: 'Anna', role: 'viewer', stationIds: [1] });
    const authenticate = authenticateWith(runtime, [{ issuer: provider.url, audience }]);
    const token = await tokenFrom(provider, 'anna', audience);
    expect(await authenticate(token)).toMatchObject({
      tenantId: 1,
      subject: 'user:1',
      userId: 1,
      name: 'Anna at the plant',
      role: 'viewer',
      stationIds: [1],
      sessionId: undefined,
    });
    await provider.close();
  });

  test('in the tenant of the user, whatever the token says', async ({ runtime }) => {
    const tenantId = await createTenant(runtime, { name: 'Elsewhere' });
    await addUser(runtime, { username: 'anna', tenantId });
    const authenticate = authenticateWith(runtime, [{ issuer: issuer.url, audience }]);
    expect(await authenticate(await tokenFrom(issuer, 'anna', audience))).toMatchObject({ tenantId });
  });

  test('named by another claim', async ({ runtime }) => {
    await addUser(runtime, { username: 'anna' });
    const authenticate = authenticateWith(runtime, [
      { issuer: issuer.url, audience, usernameClaim: 'client_id' },
    ]);
    expect(await authenticate(await tokenFrom(issuer, 'anna', audience))).toMatchObject({ userId: 1 });
  });

  test('the keys are fetched once, and without discovery when their place is known', async ({ runtime }) => {
    await addUser(runtime, { username: 'anna' });
    const provider = await startIssuer('ES256', ['anna']);
    const jwksUri = `${provider.url}/jwks`;
    const authenticate = authenticateWith(runtime, [{ issuer: provider.url, audience, jwksUri }]);
    const tokens = [await tokenFrom(provider, 'anna', audience), await tokenFrom(provider, 'anna', audience)];
    for (const token of [...tokens, ...tokens])
      expect(await authenticate(token)).toMatchObject({ userId: 1 });
    expect(provider.seen).toEqual(['/token', '/token', '/jwks']);
    await provider.close();
  });
});

describe('a token of a trusted issuer is refused', () => {
  test.for<[string, string, Partial<TrustedIssuer>, string]>([
    ['for another audience', 'anna', {}, 'https://grafana.example'],
    ['of somebody unknown here', 'nobody', {}, audience],
    ['of somebody disabled here', 'dieter', {}, audience],
    ['that lacks the claim', 'anna', { usernameClaim: 'email' }, audience],
    ['whose claim is no name', 'anna', { usernameClaim: 'exp' }, audience],
  ])('%s', async ([, username, more, resource], { runtime }) => {
    await addUser(runtime, { username: 'anna' });
    await addUser(runtime, { username: 'dieter', enabled: false });
    const authenticate = authenticateWith(runtime, [{ issuer: issuer.url, audience, ...more }]);
    await expect(authenticate(await tokenFrom(issuer, username, resource))).rejects.toMatchObject(refused);
  });

  test('when it has expired, though it was accepted before', async ({ runtime }) => {
    await addUser(runtime, { username: 'anna' });
    const ahead = { ms: 0 };
    const authenticate = authenticateWith(runtime, [{ issuer: issuer.url, audience }], ahead);
    const token = await tokenFrom(issuer, 'anna', audience);
    expect(await authenticate(token)).toMatchObject({ userId: 1 });
    ahead.ms = 86_400_000;
    await expect(authenticate(token)).rejects.toMatchObject(refused);
  });

  test('within five seconds after the user is disabled here', async ({ runtime }) => {
    await addUser(runtime, { username: 'anna' });
    const ahead = { ms: 0 };
    const authenticate = authenticateWith(runtime, [{ issuer: issuer.url, audience }], ahead);
    const token = await tokenFrom(issuer, 'anna', audience);
    expect(await authenticate(token)).toMatchObject({ userId: 1 });
    await inTenant(runtime.database, 1, (transaction) =>
      transaction.updateTable('users').set({ enabled: false }).where('tenantId', '=', 1).execute(),
    );
    ahead.ms = 5_000;
    await expect(authenticate(token)).rejects.toMatchObject(refused);
  });
});

const named = { preferred_username: 'anna' };
const inFiveMinutes = () => Math.floor(Date.now() / 1_000) + 300;

/** A token with all that the real ones have, signed by whoever, saying whatever. */
async function forged(
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256');
  return new SignJWT({ iss: issuer.url, aud: audience, exp: inFiveMinutes(), ...named, ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'issuer-key', ...header })
    .sign(privateKey);
}

test('a token that only claims to be of the issuer is refused', async ({ runtime }) => {
  await addUser(runtime, { username: 'anna' });
  const authenticate = authenticateWith(runtime, [{ issuer: issuer.url, audience }]);
  await expect(authenticate(await forged({}))).rejects.toMatchObject(refused);
  await expect(authenticate(await forged({}, { kid: 'new' }))).rejects.toMatchObject(refused);
});

test('an issuer that is not in the list is never asked for anything', async ({ runtime }) => {
  await addUser(runtime, { username: 'anna' });
  const stranger = await startIssuer('ES256', ['anna']);
  const authenticate = authenticateWith(runtime, [{ issuer: issuer.url, audience }]);
  const token = await tokenFrom(stranger, 'anna', audience);
  await expect(authenticate(token)).rejects.toMatchObject(refused);
  await expect(authenticate(await forged({ iss: `${issuer.url}/` }))).rejects.toMatchObject(refused);
  await expect(authenticate(await forged({}, { jku: `${stranger.url}/jwks` }))).rejects.toMatchObject(
    refused,
  );
  expect(stranger.seen).toEqual(['/token']);
  await stranger.close();
});

test('with no issuers in the list a token of theirs is like any other', async ({ runtime }) => {
  await addUser(runtime, { username: 'anna' });
  const token = await tokenFrom(issuer, 'anna', audience);
  await expect(authenticateWith(runtime, [])(token)).rejects.toMatchObject(refused);
});

describe('tokens that are none of a bearer are refused though the issuer signed them', () => {
  test.for<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['a log-out token', {}, { typ: 'logout+jwt' }],
    ['a proof of a key', {}, { typ: 'dpop+jwt' }],
    ['a token bound to a key', { cnf: { jkt: 'abc' } }, {}],
    ['a token that never ends', { exp: undefined }, {}],
    ['a token signed by a secret that both know', {}, { alg: 'HS256' }],
    ['a token whose user has NUL in the name', { preferred_username: 'an\u0000na' }, {}],
    ['a token whose user has too long a name', { preferred_username: 'a'.repeat(129) }, {}],
  ])('%s', async ([, claims, header], { runtime }) => {
    await addUser(runtime, { username: 'anna' });
    const { neighbour, sign } = await startOwnIssuer();
    const authenticate = authenticateWith(runtime, [{ issuer: neighbour.url, audience }]);
    expect(await authenticate(await sign({}, {}))).toMatchObject({ userId: 1 });
    await expect(authenticate(await sign(claims, header))).rejects.toMatchObject(refused);
    await neighbour.close();
  });
});

describe('when the issuer cannot answer, that is said, and its users may try again', () => {
  test('it is down', async ({ runtime }) => {
    await addUser(runtime, { username: 'anna' });
    const { neighbour, sign } = await startOwnIssuer();
    const token = await sign({}, {});
    await neighbour.close();
    const authenticate = authenticateWith(runtime, [{ issuer: neighbour.url, audience }]);
    await expect(authenticate(token)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test.for<[string, (url: string) => object]>([
    [
      'it calls itself something else',
      (url) => ({ issuer: 'https://other.example', jwks_uri: `${url}/jwks` }),
    ],
    ['it does not tell its keys', (url) => ({ issuer: url })],
    ['its keys are not safe to fetch', (url) => ({ issuer: url, jwks_uri: unsafe(url) })],
    ['it is broken', () => []],
  ])('%s', async ([, configuration], { runtime }) => {
    await addUser(runtime, { username: 'anna' });
    const { neighbour, sign } = await startOwnIssuer(configuration);
    const authenticate = authenticateWith(runtime, [{ issuer: neighbour.url, audience }]);
    await expect(authenticate(await sign({}, {}))).rejects.toMatchObject({ code: 'unavailable' });
    expect(neighbour.seen).toEqual(['/.well-known/openid-configuration']);
    await neighbour.close();
  });
});

test('an issuer must be reached in a way nobody can listen in on', ({ runtime }) => {
  expect(() => authenticateWith(runtime, [{ issuer: 'http://issuer.example', audience }])).toThrow('https');
  expect(() => authenticateWith(runtime, [{ issuer: 'https://issuer.example', audience }])).not.toThrow();
});

/** The same place under a name that is not known to be this machine. */
const unsafe = (url: string) => `${url.replace('127.0.0.1', '[::ffff:127.0.0.1]')}/jwks`;

/** An issuer of the test's own, which signs whatever it is asked to. */
async function startOwnIssuer(
  configuration: (url: string) => object = (url) => ({ issuer: url, jwks_uri: `${url}/jwks` }),
) {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'own', alg: 'ES256' }] };
  const neighbour = await startNeighbour(
    (url) => (request, response) =>
      response.end(JSON.stringify(request.url === '/jwks' ? jwks : configuration(url))),
  );
  const sign = (claims: Record<string, unknown>, header: Record<string, unknown>) =>
    new SignJWT({ iss: neighbour.url, aud: audience, exp: inFiveMinutes(), ...named, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'own', ...header })
      .sign(header['alg'] === 'HS256' ? Buffer.alloc(32, 1) : privateKey);
  return { neighbour, sign };
}
