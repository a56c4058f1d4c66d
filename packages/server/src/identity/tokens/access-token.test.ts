import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createTenant } from '../../people/create-tenant.ts';
import { joinToken, signedBy, splitToken, type TokenParts } from '../../testing/forge-token.ts';
import {
  addUser,
  type Installation,
  openInstallation,
  testInOneInstallation,
  test as withInstallation,
} from '../../testing/identity.fixture.ts';
import { startNeighbour } from '../../testing/issuer.fixture.ts';

type Forge = (parts: { ownKey: KeyObject; publicJwk: Record<string, unknown> } & TokenParts) => TokenParts;

const stranger = generateKeyPairSync('ed25519');
const strangersJwk = stranger.publicKey.export({ format: 'jwk' });
const unsigned = () => Buffer.alloc(0);

/** Anna's genuine token, and a way to present it changed. */
const annaOf = async ({ runtime, door, authenticate }: Installation) => {
  await addUser(runtime, { username: 'anna', role: 'operator' });
  const token: string = (await door.logIn()).json().access_token;
  const parts = await splitToken(runtime, token);
  const forge = (change: Forge) =>
    joinToken({ signature: signedBy(parts.ownKey), ...parts, ...change(parts) });
  return { token, parts, forge, present: (change: Forge) => authenticate(forge(change)) };
};

const test = withInstallation.extend('anna', ({ installation }) => annaOf(installation));
const testAsking = testInOneInstallation
  .extend('anna', { scope: 'file' }, ({ installation }) => annaOf(installation))
  .extend('authenticate', { scope: 'file' }, ({ installation }) => installation.authenticate);

const refused = { code: 'not-authenticated', message: 'The access token is not valid' };
const headed = (more: Record<string, unknown>): Forge => {
  return (parts) => ({ ...parts, header: { ...parts.header, ...more } });
};
const claiming = (more: Record<string, unknown>): Forge => {
  return (parts) => ({ ...parts, payload: { ...parts.payload, ...more } });
};
const without =
  (claim: string): Forge =>
  (parts) => ({
    ...parts,
    payload: Object.fromEntries(Object.entries(parts.payload).filter(([name]) => name !== claim)),
  });
const hmacWith = (secretOf: (jwk: Record<string, unknown>) => string | Buffer): Forge => {
  return ({ header, payload, publicJwk }) => ({
    header: { ...header, alg: 'HS256' },
    payload,
    signature: (signed) => createHmac('sha256', secretOf(publicJwk)).update(signed).digest(),
  });
};
const unsignedAs =
  (alg: string): Forge =>
  ({ header, payload }) => ({ header: { ...header, alg }, payload, signature: unsigned });

testAsking(
  'the token as it was given opens the door, taken apart and put together as well',
  async ({ anna, authenticate }) => {
    expect(await authenticate(anna.token)).toMatchObject({
      tenantId: 1,
      subject: 'user:1',
      userId: 1,
      name: 'anna at the plant',
      role: 'operator',
      stationIds: undefined,
      sessionId: anna.parts.payload['sid'],
    });
    expect(await anna.present((parts) => parts)).toMatchObject({ subject: 'user:1' });
  },
);

testAsking('it says what it is, for whom, and for a quarter of an hour', async ({ anna }) => {
  expect(anna.parts.header).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: expect.any(String) });
  const { payload } = anna.parts;
  expect(payload).toMatchObject({ iss: 'tocsin', aud: 'tocsin', sub: '1', tid: 1 });
  expect(payload).toMatchObject({ jti: expect.any(String), sid: expect.any(String) });
  expect(Number(payload['exp']) - Number(payload['iat'])).toBe(900);
});

describe('a token is refused', () => {
  testAsking.for<[string, Forge]>([
    ['without a signature, alg none', unsignedAs('none')],
    ['without a signature, alg None', unsignedAs('None')],
    ['without a signature, alg NONE', unsignedAs('NONE')],
    ['without a signature, alg nOnE', unsignedAs('nOnE')],
    ['without a signature, alg EdDSA', unsignedAs('EdDSA')],
    ['signed with our key, alg none', headed({ alg: 'none' })],
    ['signed with our key, no alg', headed({ alg: undefined })],
    ['signed with our key, alg ES256', headed({ alg: 'ES256' })],
    ['signed with our key, alg as a list', headed({ alg: ['EdDSA'] })],
    ['HS256 with our public key as bytes', hmacWith(({ x }) => Buffer.from(String(x), 'base64url'))],
    ['HS256 with our public key as text', hmacWith(({ x }) => String(x))],
    ['HS256 with our public key as JSON', hmacWith((jwk) => JSON.stringify(jwk))],
    ['HS256 with an empty secret', hmacWith(() => '')],
    ['signed by another key', (parts) => ({ ...parts, signature: signedBy(stranger.privateKey) })],
    ['with a signature of zeros', (parts) => ({ ...parts, signature: () => Buffer.alloc(64) })],
    ['with half its signature', (parts) => ({ ...parts, signature: () => Buffer.alloc(32, 1) })],
    ['with no kid', headed({ kid: undefined })],
    ['with a kid nobody has', headed({ kid: crypto.randomUUID() })],
    ['with a kid that is a path', headed({ kid: '../../dev/null' })],
    ['with a kid that is SQL', headed({ kid: "x' union select 'a' --" })],
    ['with a kid that is a URL', headed({ kid: 'http://127.0.0.1/key.json' })],
    ['with the kid __proto__', headed({ kid: '__proto__' })],
    ['with the kid constructor', headed({ kid: 'constructor' })],
    ['with a kid with NUL', headed({ kid: 'a\u0000b' })],
    ['with an empty kid', headed({ kid: '' })],
    ['with a number as kid', headed({ kid: 1 })],
    [
      'with a list as kid',
      (parts) => ({ ...parts, header: { ...parts.header, kid: [parts.header['kid']] } }),
    ],
    ['with a critical header we do not know', headed({ crit: ['tenant'], tenant: 2 })],
    ['with its payload not encoded', headed({ crit: ['b64'], b64: false })],
    ['of type JWT, as an id token has', headed({ typ: 'JWT' })],
    ['of type id_token', headed({ typ: 'id_token+jwt' })],
    ['of no type', headed({ typ: undefined })],
    ['for another audience', claiming({ aud: 'grafana' })],
    ['for no audience', without('aud')],
    ['for an audience that only starts as ours', claiming({ aud: 'tocsin.evil.example' })],
    ['of another issuer', claiming({ iss: 'https://issuer.example' })],
    ['of an issuer that looks like us', claiming({ iss: 'Tocsin' })],
    ['of no issuer', without('iss')],
    ['of a list of issuers', claiming({ iss: ['tocsin'] })],
    ['that never ends', without('exp')],
    ['whose end is text', claiming({ exp: '9999999999' })],
    ['whose end is null', claiming({ exp: null })],
    ['whose end is infinite', claiming({ exp: '1e999' })],
    ['that is not valid yet', claiming({ nbf: 1_772_345_000 })],
    ['whose start is text', claiming({ nbf: '0' })],
    ['of no user', without('sub')],
    ['of user 0', claiming({ sub: '0' })],
    ['of another user with this session', claiming({ sub: '2' })],
    ['whose user is a number', claiming({ sub: 1 })],
    ['whose user is SQL', claiming({ sub: '1 or 1=1' })],
    ['of no tenant', without('tid')],
    ['whose tenant is text', claiming({ tid: '1' })],
    ['whose tenant is a digit of another script', claiming({ tid: '１' })],
    ['whose tenant is a fraction', claiming({ tid: 1.5 })],
    ['of another tenant', claiming({ tid: 2 })],
    ['of no session', without('sid')],
    ['of a session nobody opened', claiming({ sid: crypto.randomUUID() })],
    ['whose session is no identifier', claiming({ sid: "x'; drop table sessions" })],
    ['without a number of its own', without('jti')],
  ])('%s', async ([, change], { anna }) => {
    await expect(anna.present(change)).rejects.toMatchObject(refused);
  });
});

test('a session of another tenant is rejected, although both have a user 1', async ({
  anna,
  runtime,
  authenticate,
  door,
}) => {
  const tenantId = await createTenant(runtime, { name: 'Elsewhere' });
  expect(await addUser(runtime, { username: 'eve', tenantId })).toBe(1);
  const eves = await splitToken(runtime, (await door.logIn('eve')).json().access_token);
  await expect(anna.present(claiming({ sid: eves.payload['sid'] }))).rejects.toMatchObject(refused);
  await expect(
    authenticate(anna.forge(claiming({ tid: tenantId, sid: anna.parts.payload['sid'] }))),
  ).rejects.toMatchObject(refused);
});

describe('a key inside the token is ignored', () => {
  testAsking('embedded in it', async ({ anna }) => {
    const brought = headed({ jwk: strangersJwk });
    await expect(
      anna.present((parts) => ({ ...brought(parts), signature: signedBy(stranger.privateKey) })),
    ).rejects.toMatchObject(refused);
    expect(await anna.present(brought)).toMatchObject({ subject: 'user:1' });
  });

  testAsking.for(['jku', 'x5u'])('named by %s', async (header, { anna }) => {
    const evil = await startNeighbour(
      () => (_request, response) =>
        response.end(JSON.stringify({ keys: [{ ...strangersJwk, kid: 'theirs', alg: 'EdDSA' }] })),
    );
    const brought = headed({ [header]: `${evil.url}/keys.json`, kid: 'theirs' });
    await expect(
      anna.present((parts) => ({ ...brought(parts), signature: signedBy(stranger.privateKey) })),
    ).rejects.toMatchObject(refused);
    expect(evil.seen).toEqual([]);
    await evil.close();
  });
});

test('a token expires at its time, with a tolerance of one second', async ({ anna, authenticate, clock }) => {
  clock.advance(900);
  expect(await authenticate(anna.token)).toMatchObject({ subject: 'user:1' });
  expect(await anna.present((parts) => parts)).toMatchObject({ subject: 'user:1' });
  clock.advance(1);
  await expect(authenticate(anna.token)).rejects.toMatchObject(refused);
  await expect(anna.present(claiming({ jti: 'not seen before' }))).rejects.toMatchObject(refused);
});

testAsking('one changed character anywhere makes it worthless', async ({ anna, authenticate }) => {
  // The last character carries bits that no byte has, so a change of it need not change anything.
  const places = Array.from({ length: anna.token.length - 1 }, (_, index) => index);
  for (const place of places) {
    const other = anna.token[place] === 'A' ? 'B' : 'A';
    const mutated = anna.token.slice(0, place) + other + anna.token.slice(place + 1);
    const outcome = await authenticate(mutated).catch((error: unknown) => error);
    expect({ mutated, outcome }).toMatchObject({ mutated, outcome: refused });
  }
  expect(places.length).toBeGreaterThan(300);
});

testAsking.for<[string, (token: string) => string]>([
  ['nothing', () => ''],
  ['a word', () => 'hello'],
  ['dots', () => '..'],
  ['four parts', (token) => `${token}.x`],
  ['five parts, as an encrypted token has', (token) => `${token}.x.y`],
  ['the token twice', (token) => `${token}.${token}`],
  ['JSON', (token) => JSON.stringify({ access_token: token })],
  ['a list instead of claims', (token) => token.replace(/\.[^.]*\./, `.${btoa('["tocsin"]')}.`)],
  ['a megabyte', (token) => token.replace('.', `${'A'.repeat(1_048_576)}.`)],
  ['a megabyte of dots', () => '.'.repeat(1_048_576)],
])(
  'a text that is not a token is refused like an invalid token: %s',
  async ([, change], { anna, authenticate }) => {
    await expect(authenticate(change(anna.token))).rejects.toMatchObject(refused);
  },
);

testAsking('the caller never learns why a token is invalid', async ({ anna, installation: { door } }) => {
  const tokens = [unsignedAs('none'), claiming({ exp: 1 }), headed({ kid: 'x' }), claiming({ aud: 'x' })];
  const answers = await Promise.all(tokens.map((change) => door.get(anna.forge(change))));
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  expect(answers[0]?.statusCode).toBe(401);
  expect(answers[0]?.headers['www-authenticate']).toBe('Bearer realm="tocsin", error="invalid_token"');
  expect(answers[0]?.json()).toMatchObject({ code: 'not-authenticated', instance: '/api/v1/stations' });
});

test('tokens of one server process are valid in another', async ({ installation, runtime, clock, anna }) => {
  const elsewhere = await openInstallation(runtime, clock);
  expect(await elsewhere.authenticate(anna.token)).toMatchObject({ subject: 'user:1' });
  const { access_token } = (await elsewhere.door.logIn()).json();
  expect(await installation.authenticate(access_token)).toMatchObject({ subject: 'user:1' });
  await elsewhere.close();
});
