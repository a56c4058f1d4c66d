import type { LightMyRequestResponse } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { createTenant } from '../../people/create-tenant.ts';
import { trailOf } from '../../testing/audit.fixture.ts';
import { addUser, linkUser } from '../../testing/identity.fixture.ts';
import type { Neighbour } from '../../testing/issuer.fixture.ts';
import { type People, test } from '../testing/outside-app.fixture.ts';
import {
  clientId,
  clientSecret,
  type ForgingIssuer,
  signInAt,
  startForgingIssuer,
  startProvider,
} from '../testing/sign-in-issuer.fixture.ts';

let provider: Neighbour;
let forger: ForgingIssuer;
let second: ForgingIssuer;
beforeAll(async () => {
  [provider, forger, second] = await Promise.all([
    startProvider(),
    startForgingIssuer(),
    startForgingIssuer(),
  ]);
});
afterEach(() => {
  for (const issuer of [forger, second]) Object.assign(issuer, { claims: {}, isForged: false });
});
afterAll(() => Promise.all([provider.close(), forger.close(), second.close()]));

const issuerAt = ({ url }: Pick<Neighbour, 'url'>, more: object = {}) => ({
  name: 'Plant login',
  issuer: url,
  clientId,
  clientSecret,
  enabled: true,
  groupRoles: [
    { group: 'chiefs', role: 'admin' },
    { group: 'operators', role: 'operator' },
  ],
  createUsers: true,
  ...more,
});

/** Adds an issuer to the tenant, and returns its number. */
async function add(people: People, body: object, tenantId = 1): Promise<number> {
  const answer = await people.admin('POST', '/issuers', body, tenantId);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<number>();
}

const cookiesOf = ({ headers }: LightMyRequestResponse): string[] => [headers['set-cookie'] ?? []].flat();
const cookieOf = (answer: LightMyRequestResponse, name: string) =>
  cookiesOf(answer)
    .find((one) => one.startsWith(`${name}=`))
    ?.split(';')[0] ?? '';

/** Presses the button of the issuer: the address of its page, and the cookie of the browser. */
async function start(people: People, issuerId: number, tenant = '1') {
  const answer = await people.send({ url: `/api/v1/auth/oidc/${issuerId}/start?tenant=${tenant}` });
  return { answer, location: String(answer.headers.location), cookie: cookieOf(answer, 'tocsin_sign_in') };
}

const comeBack = (people: People, { pathname, search }: URL, cookie: string) =>
  people.send({ url: `${pathname}${search}`, headers: { cookie } });

/** The whole way through an issuer whose tokens the test writes. */
async function signIn(people: People, issuerId: number, issuer = forger) {
  const { location, cookie } = await start(people, issuerId);
  return comeBack(people, issuer.answer(location), cookie);
}

const problem = (code: string) => `/sign-in?problem=${code}`;

/** The user of the session that an answer opened. */
async function userOf(people: People, answer: LightMyRequestResponse) {
  const cookie = cookieOf(answer, 'tocsin_session');
  const refreshed = await people.send({
    method: 'POST',
    url: '/api/v1/auth/login',
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    payload: 'grant_type=refresh_token&cookie=1',
  });
  const { access_token } = refreshed.json<{ access_token: string }>();
  const headers = { authorization: `Bearer ${access_token}` };
  const meta = await people.send({ url: '/api/v1/meta', headers });
  return meta.json<{ user: { id: number; name: string; role: string }; tenant: { id: number } }>();
}

describe('at a real provider', () => {
  test('a person of a group gets a user, a role and a session of a browser', async ({ people, runtime }) => {
    const id = await add(people, issuerAt(provider));
    const ways = await people.send({ url: '/api/v1/auth/ways' });
    expect(ways.json()).toMatchObject({
      issuers: [{ id, name: 'Plant login', url: `/api/v1/auth/oidc/${id}/start?tenant=1` }],
    });
    const { location, cookie, answer } = await start(people, id);
    expect(cookiesOf(answer)[0]).toMatch(
      /; Path=\/api\/v1\/auth\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    const asked = new URL(location).searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    const back = await signInAt(location, 'anna');
    const arrived = await comeBack(people, back, cookie);
    expect(arrived).toMatchObject({ statusCode: 302, headers: { location: '/' } });
    expect(cookieOf(arrived, 'tocsin_sign_in')).toBe('tocsin_sign_in=');
    expect(await userOf(people, arrived)).toMatchObject({
      user: { name: 'anna at the provider', role: 'operator' },
    });
    const trail = await trailOf(runtime);
    const actor = { kind: 'issuer', id: `${provider.url} anna` };
    for (const action of ['user.create', 'session.open'])
      expect(trail).toContainEqual(
        expect.objectContaining({ action, actor: expect.objectContaining(actor) }),
      );
    expect(JSON.stringify(trail)).not.toContain(clientSecret);
  });

  test('a code is used once: the same address a second time opens nothing', async ({ people }) => {
    const id = await add(people, issuerAt(provider));
    const { location, cookie } = await start(people, id);
    const back = await signInAt(location, 'anna');
    expect((await comeBack(people, back, cookie)).headers.location).toBe('/');
    const again = await comeBack(people, back, cookie);
    expect(again.headers.location).toBe(problem('sign-in-expired'));
    expect(cookieOf(again, 'tocsin_session')).toBe('');
  });

  test('a code with the state and cookie of another sign-in is refused by the provider', async ({
    people,
  }) => {
    const id = await add(people, issuerAt(provider));
    const first = await start(people, id);
    const other = await start(people, id);
    const back = await signInAt(first.location, 'anna');
    back.searchParams.set('state', new URL(other.location).searchParams.get('state') ?? '');
    const answer = await comeBack(people, back, other.cookie);
    expect(answer.headers.location).toBe(problem('token-not-accepted'));
  });

  test('somebody without a matching group is refused, and an administrator may link them', async ({
    people,
    runtime,
  }) => {
    const id = await add(people, issuerAt(provider));
    const attempt = async () => {
      const { location, cookie } = await start(people, id);
      return comeBack(people, await signInAt(location, 'dora'), cookie);
    };
    expect((await attempt()).headers.location).toBe(problem('no-user'));
    const userId = await addUser(runtime, { username: 'dora', role: 'viewer', password: null });
    await linkUser(runtime, { userId, issuer: provider.url, subject: 'dora' });
    expect(await userOf(people, await attempt())).toMatchObject({ user: { id: userId, role: 'viewer' } });
  });
});

describe('a sign-in belongs to a browser, a tenant and ten minutes', () => {
  test('it ends in the browser in which it began', async ({ people }) => {
    const id = await add(people, issuerAt(forger));
    const { location } = await start(people, id);
    const stranger = await start(people, id);
    forger.claims = { groups: ['operators'] };
    const back = forger.answer(location);
    for (const cookie of ['', 'tocsin_sign_in=invented', stranger.cookie])
      expect((await comeBack(people, back, cookie)).headers.location).toBe(problem('sign-in-expired'));
    expect(forger.codes).toEqual([]);
  });

  test('a changed state is not known', async ({ people }) => {
    const id = await add(people, issuerAt(forger));
    const { location, cookie } = await start(people, id);
    const state = new URL(location).searchParams.get('state') ?? '';
    for (const changed of [`${state.slice(0, -1)}x`, state.replace('tco_1_', 'tco_2_'), '', 'tco_0_x'])
      expect(
        (await comeBack(people, forger.answer(location, { state: changed }), cookie)).headers.location,
      ).toBe(problem('sign-in-expired'));
  });

  test.for([
    { seconds: 599, location: '/' },
    { seconds: 600, location: problem('sign-in-expired') },
  ])('after $seconds s it leads to $location', async ({ seconds, location: wanted }, { people, clock }) => {
    const id = await add(people, issuerAt(forger));
    const { location, cookie } = await start(people, id);
    forger.claims = { groups: ['operators'] };
    clock.advance(seconds);
    const answer = await comeBack(people, forger.answer(location), cookie);
    expect(answer.headers.location).toBe(wanted);
  });

  test('the token of one issuer does not open the tenant of another', async ({ people, runtime }) => {
    await createTenant(runtime, { name: 'Brenner Heat' });
    const first = await add(people, issuerAt(forger));
    const other = await add(people, issuerAt(second), 2);
    for (const issuer of [forger, second]) issuer.claims = { groups: ['operators'] };
    const own = await start(people, other, 'Brenner Heat');
    expect(
      await userOf(people, await comeBack(people, second.answer(own.location), own.cookie)),
    ).toMatchObject({ tenant: { id: 2 } });
    // The issuer of tenant 2 says that it is that of tenant 1, and sends its answer to a sign-in of tenant 1.
    const crossed = await start(people, first);
    second.claims = { groups: ['chiefs'], iss: second.url };
    forger.claims = { groups: ['chiefs'], iss: second.url };
    const answer = await comeBack(people, forger.answer(crossed.location), crossed.cookie);
    expect(answer.headers.location).toBe(problem('token-not-accepted'));
    const mixed = await start(people, other, '2');
    second.claims = { groups: ['chiefs'], iss: forger.url };
    const refused = await comeBack(people, second.answer(mixed.location), mixed.cookie);
    expect(refused.headers.location).toBe(problem('token-not-accepted'));
  });

  test('several tenants show their issuers only to who names one', async ({ people, runtime }) => {
    await createTenant(runtime, { name: 'Brenner Heat' });
    await add(people, issuerAt(forger));
    const ways = async (query: string) =>
      (await people.send({ url: `/api/v1/auth/ways${query}` })).json<{ issuers: object[] }>().issuers.length;
    expect(await ways('')).toBe(0);
    expect(await ways('?tenant=valmont%20water')).toBe(1);
    expect(await ways('?tenant=Brenner%20Heat')).toBe(0);
    const { answer } = await start(people, 1, 'Brenner Heat');
    expect(answer.statusCode).toBe(404);
  });
});

const seconds = () => Math.floor(Date.now() / 1_000);

describe('a token is accepted only if it is genuine and for this sign-in', () => {
  test.for([
    { fault: 'another nonce', claims: () => ({ nonce: 'of another sign-in' }) },
    { fault: 'no nonce', claims: () => ({ nonce: undefined }) },
    { fault: 'another audience', claims: () => ({ aud: 'another client' }) },
    { fault: 'another issuer', claims: () => ({ iss: 'https://elsewhere.example' }) },
    { fault: 'an end 90 s ago', claims: () => ({ iat: seconds() - 600, exp: seconds() - 90 }) },
    { fault: 'a beginning in 90 s', claims: () => ({ nbf: seconds() + 90 }) },
    { fault: 'no subject', claims: () => ({ sub: undefined }) },
  ])('not with $fault', async ({ claims }, { people }) => {
    const id = await add(people, issuerAt(forger));
    forger.claims = { groups: ['operators'], ...claims() };
    const answer = await signIn(people, id);
    expect(answer.headers.location).toBe(problem('token-not-accepted'));
    expect(cookieOf(answer, 'tocsin_session')).toBe('');
  });

  test('not with the signature of another key', async ({ people }) => {
    const id = await add(people, issuerAt(forger));
    Object.assign(forger, { claims: { groups: ['operators'] }, isForged: true });
    expect((await signIn(people, id)).headers.location).toBe(problem('token-not-accepted'));
  });

  test.for([
    { clock: '40 s behind', claims: () => ({ iat: seconds() - 400, exp: seconds() - 40 }) },
    { clock: '40 s ahead', claims: () => ({ iat: seconds() + 40, nbf: seconds() + 40 }) },
  ])('also from a clock that is $clock', async ({ claims }, { people }) => {
    const id = await add(people, issuerAt(forger));
    forger.claims = { groups: ['operators'], ...claims() };
    expect((await signIn(people, id)).headers.location).toBe('/');
  });

  test('an issuer that refuses, or does not answer, leads to the sign-in page', async ({ people }) => {
    const id = await add(people, issuerAt(forger));
    const { location, cookie } = await start(people, id);
    const refused = await comeBack(people, forger.answer(location, { error: 'access_denied' }), cookie);
    expect(refused.headers.location).toBe(problem('issuer-refused'));
    const gone = await add(people, issuerAt({ url: 'http://127.0.0.1:9' }, { name: 'gone' }));
    expect((await start(people, gone)).location).toBe(problem('issuer-unreachable'));
  });

  test('an issuer in the network of the operator is not reached without their leave', async ({ people }) => {
    const inside = await add(people, issuerAt({ url: 'https://10.0.0.5' }, { name: 'inside' }));
    const plain = await add(people, issuerAt({ url: 'http://192.0.2.1' }, { name: 'plain' }));
    for (const id of [inside, plain])
      expect((await start(people, id)).location).toBe(problem('issuer-unreachable'));
  });
});

describe('groups decide about roles at each sign-in', () => {
  test('the first match counts, a later change is applied, and without a match the role stays', async ({
    people,
    runtime,
  }) => {
    const id = await add(people, issuerAt(forger));
    const roleWith = async (groups: unknown) => {
      forger.claims = { groups };
      return (await userOf(people, await signIn(people, id))).user.role;
    };
    expect(await roleWith(['operators'])).toBe('operator');
    expect(await roleWith(['operators', 'chiefs'])).toBe('admin');
    expect(await roleWith(['canteen'])).toBe('admin');
    expect(await roleWith('operators')).toBe('operator');
    const changes = (await trailOf(runtime)).filter(({ action }) => action === 'user.change');
    expect(changes.map(({ before, after }) => [before, after])).toEqual([
      [{ role: 'operator' }, { role: 'admin' }],
      [{ role: 'admin' }, { role: 'operator' }],
    ]);
  });

  test('a user with a password here keeps their role, whatever the issuer says', async ({
    people,
    runtime,
  }) => {
    const id = await add(people, issuerAt(forger));
    const userId = await addUser(runtime, { username: 'anna', role: 'viewer' });
    await linkUser(runtime, { userId, issuer: forger.url, subject: 'anna' });
    forger.claims = { groups: ['chiefs'] };
    expect(await userOf(people, await signIn(people, id))).toMatchObject({
      user: { id: userId, role: 'viewer' },
    });
  });

  test('nobody gets a user by a name: one that is taken is refused', async ({ people, runtime }) => {
    const id = await add(people, issuerAt(forger));
    await addUser(runtime, { username: 'Anna', role: 'admin' });
    forger.claims = { groups: ['operators'], preferred_username: 'anna' };
    expect((await signIn(people, id)).headers.location).toBe(problem('name-taken'));
  });

  test('new users need leave, and a disabled user stays out', async ({ people, runtime }) => {
    const id = await add(people, issuerAt(forger, { createUsers: false }));
    forger.claims = { groups: ['operators'] };
    expect((await signIn(people, id)).headers.location).toBe(problem('no-user'));
    const userId = await addUser(runtime, { username: 'anna', enabled: false });
    await linkUser(runtime, { userId, issuer: forger.url, subject: 'anna' });
    expect((await signIn(people, id)).headers.location).toBe(problem('user-disabled'));
  });
});
