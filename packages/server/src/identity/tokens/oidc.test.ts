import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createTenant } from '../../people/create-tenant.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { addUser, linkUser } from '../../testing/identity.fixture.ts';
import { type Neighbour, startIssuer, startNeighbour, tokenFrom } from '../../testing/issuer.fixture.ts';
import { test } from '../../testing/plant.fixture.ts';
import { createAuthenticate } from '../authenticate.ts';
import type { TrustedIssuer } from './oidc.ts';

const audience = 'https://tocsin.example';
const refused = { code: 'not-authenticated', message: 'The access token is not valid' };

/** The provider uses the real time, so these tests do, too, unless they look ahead. */
const authenticateWith = (runtime: Runtime, issuers: TrustedIssuer[], ahead = { ms: 0 }) =>
  createAuthenticate({ runtime, issuers, now: () => new Date(Date.now() + ahead.ms) });

let issuer: Neighbour;
beforeAll(async () => {
  issuer = await startIssuer('ES256', ['anna', 'nobody', 'dieter', 'unlinked']);
});
afterAll(() => issuer.close());

/** Anna of the first plant, linked to a subject of the issuer. */
async function addAnna(
  runtime: Runtime,
  url: string,
  more: Parameters<typeof addUser>[1] = {},
): Promise<void> {
  const userId = await addUser(runtime, { username: 'anna', ...more });
  await linkUser(runtime, { userId, issuer: url, subject: 'anna' });
}

const trust = ({ url }: Pick<Neighbour, 'url'>, tenantId = 1): TrustedIssuer => ({
  issuer: url,
  audience,
  tenantId,
});

describe('a linked user is accepted with a token of a trusted issuer', () => {
  test.for(['EdDSA', 'ES256', 'RS256', 'PS256'])('signed with %s', async (algorithm, { runtime }) => {
    const provider = await startIssuer(algorithm, ['anna']);
    await addAnna(runtime, provider.url, { username: 'Anna Ek', role: 'viewer', stationIds: [1] });
    const authenticate = authenticateWith(runtime, [trust(provider)]);
    const token = await tokenFrom(provider, 'anna', audience);
    expect(await authenticate(token)).toMatchObject({
      tenantId: 1,
      subject: 'user:1',
      userId: 1,
      name: 'Anna Ek at the plant',
      role: 'viewer',
      stationIds: [1],
      sessionId: undefined,
    });
    await provider.close();
  });

  test('the keys are fetched once, and without discovery when their place is known', async ({ runtime }) => {
    const provider = await startIssuer('ES256', ['anna']);
    await addAnna(runtime, provider.url);
    const jwksUri = `${provider.url}/jwks`;
    const authenticate = authenticateWith(runtime, [{ ...trust(provider), jwksUri }]);
    const tokens = [await tokenFrom(provider, 'anna', audience), await tokenFrom(provider, 'anna', audience)];
    for (const token of [...tokens, ...tokens])
      expect(await authenticate(token)).toMatchObject({ userId: 1 });
    expect(provider.seen).toEqual(['/token', '/token', '/jwks']);
    await provider.close();
  });

  test('although the same claims were presented in another form before', async ({ runtime }) => {
    await addAnna(runtime, issuer.url);
    const authenticate = authenticateWith(runtime, [trust(issuer)]);
    const token = await tokenFrom(issuer, 'anna', audience);
    const [header = '', claims = ''] = token.split('.');
    for (const shape of [`${claims}x`, `${claims}.`, `.${claims}.`, `${header}.${claims}..`, `x.${claims}.x`])
      await expect(authenticate(shape)).rejects.toMatchObject(refused);
    expect(await authenticate(token)).toMatchObject({ userId: 1 });
  });
});

test('an issuer can authenticate only linked users of its own tenant', async ({ runtime }) => {
  const names = ['anna', 'bert', 'mallory'];
  const [ours, theirs] = await Promise.all([startIssuer('ES256', names), startIssuer('ES256', names)]);
  const elsewhere = await createTenant(runtime, { name: 'Elsewhere' });
  const anna = await addUser(runtime, { username: 'anna', role: 'admin' });
  const bert = await addUser(runtime, { username: 'bert', role: 'admin', tenantId: elsewhere });
  await linkUser(runtime, { userId: anna, issuer: ours.url, subject: 'anna' });
  await linkUser(runtime, { userId: bert, issuer: theirs.url, subject: 'bert', tenantId: elsewhere });
  // A link in another tenant has no effect, because the issuer belongs to this one.
  await linkUser(runtime, { userId: bert, issuer: ours.url, subject: 'mallory', tenantId: elsewhere });
  await linkUser(runtime, { userId: bert, issuer: ours.url, subject: 'anna', tenantId: elsewhere });

  const authenticate = authenticateWith(runtime, [trust(ours, 1), trust(theirs, elsewhere)]);
  const outcomes: Record<string, unknown> = {};
  for (const [whose, provider] of Object.entries({ ours, theirs })) {
    for (const name of names) {
      const token = await tokenFrom(provider, name, audience);
      outcomes[`${name} by ${whose}`] = await authenticate(token).then(
        ({ tenantId, name: known }) => `${known} of ${tenantId}`,
        ({ code }) => code,
      );
    }
  }
  expect(outcomes).toEqual({
    'anna by ours': 'anna at the plant of 1',
    'bert by ours': 'not-authenticated',
    'mallory by ours': 'not-authenticated',
    'anna by theirs': 'not-authenticated',
    'bert by theirs': `bert at the plant of ${elsewhere}`,
    'mallory by theirs': 'not-authenticated',
  });
  await Promise.all([ours.close(), theirs.close()]);
});

describe('a token of a trusted issuer is refused', () => {
  test.for<[string, string, string]>([
    ['for another audience', 'anna', 'https://grafana.example'],
    ['of somebody unknown here', 'nobody', audience],
    ['of somebody disabled here', 'dieter', audience],
    ['of somebody whom nobody has linked', 'unlinked', audience],
  ])('%s', async ([, username, resource], { runtime }) => {
    await addAnna(runtime, issuer.url);
    const userId = await addUser(runtime, { username: 'dieter', enabled: false });
    await linkUser(runtime, { userId, issuer: issuer.url, subject: 'dieter' });
    await addUser(runtime, { username: 'unlinked' });
    const authenticate = authenticateWith(runtime, [trust(issuer)]);
    await expect(authenticate(await tokenFrom(issuer, username, resource))).rejects.toMatchObject(refused);
  });

  test('when it has expired, though it was accepted before', async ({ runtime }) => {
    await addAnna(runtime, issuer.url);
    const ahead = { ms: 0 };
    const authenticate = authenticateWith(runtime, [trust(issuer)], ahead);
    const token = await tokenFrom(issuer, 'anna', audience);
    expect(await authenticate(token)).toMatchObject({ userId: 1 });
    ahead.ms = 86_400_000;
    await expect(authenticate(token)).rejects.toMatchObject(refused);
  });

  test('within five seconds after the user is disabled here', async ({ runtime }) => {
    await addAnna(runtime, issuer.url);
    const ahead = { ms: 0 };
    const authenticate = authenticateWith(runtime, [trust(issuer)], ahead);
    const token = await tokenFrom(issuer, 'anna', audience);
    expect(await authenticate(token)).toMatchObject({ userId: 1 });
    await inTenant(runtime.database, 1, (transaction) =>
      transaction.updateTable('users').set({ enabled: false }).where('tenantId', '=', 1).execute(),
    );
    ahead.ms = 5_000;
    await expect(authenticate(token)).rejects.toMatchObject(refused);
  });
});

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
const usual = () => ({ aud: audience, sub: 'anna', iat: inSeconds(-10), exp: inSeconds(300) });

/** A complete token with any claims, signed by any key. */
async function forged(
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256');
  return new SignJWT({ iss: issuer.url, ...usual(), ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'issuer-key', ...header })
    .sign(privateKey);
}

test('a token that only claims to be of the issuer is refused', async ({ runtime }) => {
  await addAnna(runtime, issuer.url);
  const authenticate = authenticateWith(runtime, [trust(issuer)]);
  await expect(authenticate(await forged({}))).rejects.toMatchObject(refused);
  await expect(authenticate(await forged({}, { kid: 'new' }))).rejects.toMatchObject(refused);
});

test('an issuer that is not listed is never contacted', async ({ runtime }) => {
  await addAnna(runtime, issuer.url);
  const stranger = await startIssuer('ES256', ['anna']);
  const authenticate = authenticateWith(runtime, [trust(issuer)]);
  const token = await tokenFrom(stranger, 'anna', audience);
  await expect(authenticate(token)).rejects.toMatchObject(refused);
  await expect(authenticate(await forged({ iss: `${issuer.url}/` }))).rejects.toMatchObject(refused);
  await expect(authenticate(await forged({}, { jku: `${stranger.url}/jwks` }))).rejects.toMatchObject(
    refused,
  );
  expect(stranger.seen).toEqual(['/token']);
  await stranger.close();
});

test('without listed issuers their tokens are rejected', async ({ runtime }) => {
  await addAnna(runtime, issuer.url);
  const token = await tokenFrom(issuer, 'anna', audience);
  await expect(authenticateWith(runtime, [])(token)).rejects.toMatchObject(refused);
});

describe('tokens that are not bearer access tokens are rejected although the issuer signed them', () => {
  test.for<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['a log-out token', {}, { typ: 'logout+jwt' }],
    ['a proof of a key', {}, { typ: 'dpop+jwt' }],
    ['a token bound to a key', { cnf: { jkt: 'abc' } }, {}],
    ['a token that never ends', { exp: undefined }, {}],
    ['a token signed by a secret that both know', {}, { alg: 'HS256' }],
    ['a token that does not say since when', { iat: undefined }, {}],
    ['a token that is a day old, and good for a year', { iat: inSeconds(-86_410), exp: inSeconds(31e6) }, {}],
    ['a token of tomorrow', { iat: inSeconds(86_400), exp: inSeconds(2 * 86_400) }, {}],
    ['a token of nobody', { sub: undefined }, {}],
    ['a token whose subject has NUL in it', { sub: 'an\u0000na' }, {}],
    ['a token whose subject is too long', { sub: 'a'.repeat(256) }, {}],
    [
      'a token of somebody else whose preferred name is anna',
      { sub: 'mallory', preferred_username: 'anna' },
      {},
    ],
    ['an ID token', { nonce: 'n', auth_time: 1 }, { typ: 'JWT' }],
    ['an ID token that says nothing of itself', { azp: 'console' }, { typ: undefined }],
    ['an ID token of Keycloak', { typ: 'ID', azp: 'console', scope: 'openid' }, { typ: 'JWT' }],
    ['an ID token with the hash of its access token', { at_hash: 'h', scope: 'openid' }, { typ: 'JWT' }],
  ])('%s', async ([, claims, header], { runtime }) => {
    const { neighbour, sign } = await startOwnIssuer();
    await addAnna(runtime, neighbour.url);
    const authenticate = authenticateWith(runtime, [trust(neighbour)]);
    expect(await authenticate(await sign({}, {}))).toMatchObject({ userId: 1 });
    await expect(authenticate(await sign(claims, header))).rejects.toMatchObject(refused);
    await neighbour.close();
  });
});

describe('an access token of type JWT is accepted if its claims identify it', () => {
  test.for<[string, Record<string, unknown>]>([
    ['by its scope', { scope: 'alarms' }],
    ['by its scopes, as Entra ID writes them', { scp: 'alarms' }],
    ['by the client it was given to', { client_id: 'console' }],
    ['by its own word, as Keycloak writes it', { typ: 'Bearer', azp: 'console' }],
  ])('%s', async ([, claims], { runtime }) => {
    const { neighbour, sign } = await startOwnIssuer();
    await addAnna(runtime, neighbour.url);
    const authenticate = authenticateWith(runtime, [trust(neighbour)]);
    expect(await authenticate(await sign(claims, { typ: 'JWT' }))).toMatchObject({ userId: 1 });
    await neighbour.close();
  });
});

test('a token with a lifetime of a year is rejected after a day', async ({ runtime }) => {
  const { neighbour, sign } = await startOwnIssuer();
  await addAnna(runtime, neighbour.url);
  const ahead = { ms: 0 };
  const authenticate = authenticateWith(runtime, [trust(neighbour)], ahead);
  const token = await sign({ exp: inSeconds(31e6) }, {});
  expect(await authenticate(token)).toMatchObject({ userId: 1 });
  ahead.ms = 86_300_000;
  expect(await authenticate(token)).toMatchObject({ userId: 1 });
  ahead.ms = 86_500_000;
  await expect(authenticate(token)).rejects.toMatchObject(refused);
  await neighbour.close();
});

describe('an issuer that does not answer causes a temporary failure', () => {
  test('it is down', async ({ runtime }) => {
    const { neighbour, sign } = await startOwnIssuer();
    await addAnna(runtime, neighbour.url);
    const token = await sign({}, {});
    await neighbour.close();
    const authenticate = authenticateWith(runtime, [trust(neighbour)]);
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
    const { neighbour, sign } = await startOwnIssuer(configuration);
    await addAnna(runtime, neighbour.url);
    const authenticate = authenticateWith(runtime, [trust(neighbour)]);
    await expect(authenticate(await sign({}, {}))).rejects.toMatchObject({ code: 'unavailable' });
    expect(neighbour.seen).toEqual(['/.well-known/openid-configuration']);
    await neighbour.close();
  });
});

test('an issuer must be reached over https', ({ runtime }) => {
  expect(() => authenticateWith(runtime, [trust({ url: 'http://issuer.example' })])).toThrow('https');
  expect(() => authenticateWith(runtime, [trust({ url: 'https://issuer.example' })])).not.toThrow();
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
    new SignJWT({ iss: neighbour.url, ...usual(), ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'own', typ: 'at+jwt', ...header })
      .sign(header['alg'] === 'HS256' ? Buffer.alloc(32, 1) : privateKey);
  return { neighbour, sign };
}
