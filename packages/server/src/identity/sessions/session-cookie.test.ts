import type { LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { describe, expect } from 'vitest';
import { buildApp } from '../../app.ts';
import { trailOf } from '../../testing/audit.fixture.ts';
import { addUser, type Door, goodPassword, openInstallation, test } from '../../testing/identity.fixture.ts';

const logInForm = { grant_type: 'password', username: 'anna', password: goodPassword, cookie: '1' };
const refreshForm = { grant_type: 'refresh_token', cookie: '1' };

const setCookieOf = ({ headers }: LightMyRequestResponse) => String(headers['set-cookie']);
/** The cookie as the browser sends it back. */
const cookieOf = (answer: LightMyRequestResponse) => setCookieOf(answer).split(';')[0] ?? '';
const refresh = (door: Door, cookie: string) => door.form(refreshForm, { cookie });

test('a page gets its refresh token in a cookie that scripts cannot read, and nowhere else', async ({
  runtime,
  door,
}) => {
  await addUser(runtime);
  const answer = await door.form(logInForm);
  expect(answer.statusCode).toBe(200);
  expect(Object.keys(answer.json())).toEqual(['access_token', 'token_type', 'expires_in', 'id', 'name']);
  expect(setCookieOf(answer)).toMatch(
    /^tocsin_session=tcr_1_[\w-]{43}; Path=\/api\/v1\/auth; Max-Age=1209600; HttpOnly; SameSite=Strict$/,
  );
  expect(answer.body).not.toContain('tcr_');
});

test('a log-in without cookie=1 sets no cookie', async ({ runtime, door }) => {
  await addUser(runtime);
  for (const more of [{}, { cookie: '0' }, { cookie: '' }]) {
    const { grant_type, username, password } = logInForm;
    const answer = await door.form({ grant_type, username, password, ...more });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.json().refresh_token).toMatch(/^tcr_1_/);
  }
});

test('the cookie is renewed with each refresh, and a log-out deletes it', async ({
  runtime,
  door,
  clock,
}) => {
  await addUser(runtime);
  const first = await door.form(logInForm);
  clock.advance(900);
  const second = await refresh(door, cookieOf(first));
  expect(second.statusCode).toBe(200);
  expect(cookieOf(second)).not.toBe(cookieOf(first));
  const { access_token } = second.json();
  const headers = { authorization: `Bearer ${access_token}`, cookie: cookieOf(second) };
  const out = await door.send({ method: 'POST', url: '/api/v1/auth/logout', headers });
  expect(out.statusCode).toBe(204);
  expect(setCookieOf(out)).toMatch(/^tocsin_session=; Path=\/api\/v1\/auth; Max-Age=0; HttpOnly/);
  expect((await refresh(door, cookieOf(second))).json()).toMatchObject({ error: 'invalid_grant' });
});

test('a log-out leaves the cookie of somebody who has logged in since, in another tab', async ({
  runtime,
  door,
}) => {
  await addUser(runtime);
  await addUser(runtime, { username: 'ben' });
  const { access_token } = (await door.form(logInForm)).json();
  const ben = cookieOf(await door.form({ ...logInForm, username: 'ben' }));
  const headers = { authorization: `Bearer ${access_token}`, cookie: ben };
  const out = await door.send({ method: 'POST', url: '/api/v1/auth/logout', headers });
  expect(out.statusCode).toBe(204);
  expect(out.headers['set-cookie']).toBeUndefined();
  expect((await refresh(door, ben)).statusCode).toBe(200);
});

describe('several tabs', () => {
  test('that refresh at once all stay signed in', async ({ runtime, door, clock }) => {
    await addUser(runtime);
    const shared = cookieOf(await door.form(logInForm));
    const answers = await Promise.all(Array.from({ length: 4 }, () => refresh(door, shared)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    clock.advance(900);
    // The browser keeps the cookie of whichever answer came last.
    for (const answer of answers) {
      expect((await refresh(door, cookieOf(answer))).statusCode).toBe(200);
    }
  });

  test('a refresh whose answer was lost is answered again for 30 seconds', async ({
    runtime,
    door,
    clock,
  }) => {
    await addUser(runtime);
    const cookie = cookieOf(await door.form(logInForm));
    await refresh(door, cookie);
    clock.advance(30);
    expect((await refresh(door, cookie)).statusCode).toBe(200);
  });

  test('a cookie that is used again later was stolen, and ends the session for thief and owner', async ({
    runtime,
    door,
    clock,
  }) => {
    await addUser(runtime);
    const stolen = cookieOf(await door.form(logInForm));
    const owner = await refresh(door, stolen);
    clock.advance(31);
    expect((await refresh(door, stolen)).json()).toMatchObject({ error: 'invalid_grant' });
    expect((await refresh(door, cookieOf(owner))).statusCode).toBe(400);
    clock.advance(5);
    expect((await door.get(owner.json().access_token)).statusCode).toBe(401);
    expect((await trailOf(runtime)).map(({ action }) => action)).toContain('session.revoke');
  });

  test('a thief who refreshes beside the owner is found out when the owner refreshes next', async ({
    runtime,
    door,
    clock,
  }) => {
    await addUser(runtime);
    const shared = cookieOf(await door.form(logInForm));
    const [owner, thief] = [await refresh(door, shared), await refresh(door, shared)];
    clock.advance(800);
    const next = await refresh(door, cookieOf(owner));
    expect(next.statusCode).toBe(200);
    clock.advance(31);
    expect((await refresh(door, cookieOf(thief))).statusCode).toBe(400);
    expect((await refresh(door, cookieOf(next))).statusCode).toBe(400);
  });

  test('an old cookie is not accepted at all once the next one was used', async ({ runtime, door }) => {
    await addUser(runtime);
    const first = cookieOf(await door.form(logInForm));
    const second = cookieOf(await refresh(door, first));
    await refresh(door, second);
    expect((await refresh(door, first)).statusCode).toBe(400);
  });
});

test('a token is accepted only the way it was given out', async ({ runtime, door }) => {
  await addUser(runtime);
  const cookie = cookieOf(await door.form(logInForm));
  const inBody: string = (await door.logIn()).json().refresh_token;
  const inCookie = cookie.replace('tocsin_session=', '');
  expect((await door.refresh(inCookie)).statusCode).toBe(400);
  expect((await refresh(door, `tocsin_session=${inBody}`)).statusCode).toBe(400);
  expect((await refresh(door, cookie)).statusCode, 'neither ended the session').toBe(200);
  expect((await door.refresh(inBody)).statusCode).toBe(200);
});

test.for<[string, string]>([
  ['no cookie', ''],
  ['an empty one', 'tocsin_session='],
  ['one of something else', 'session=tcr_1_x; theme=dark'],
  ['two of the name, as a neighbouring host could cause', 'COOKIE; tocsin_session=tcr_1_x'],
])('a browser is signed out with %s', async ([, text], { runtime, door }) => {
  await addUser(runtime);
  const cookie = text.replace('COOKIE', cookieOf(await door.form(logInForm)));
  const answer = await refresh(door, cookie);
  expect(answer.statusCode).toBe(400);
  expect(answer.json().error).toBe('invalid_grant');
});

describe('only pages of this server get a cookie', () => {
  const own = 'plant.example:8080';
  test.for<[string, Record<string, string>, number]>([
    ['a page of this server', { origin: 'http://plant.example:8080' }, 200],
    ['the same, by what the browser says', { origin: 'https://front', 'sec-fetch-site': 'same-origin' }, 200],
    ['a program', {}, 200],
    ['a page elsewhere', { origin: 'https://evil.example' }, 403],
    ['a page of another port', { origin: 'http://plant.example:9000' }, 403],
    ['a page of a neighbouring host', { origin: `http://${own}`, 'sec-fetch-site': 'same-site' }, 403],
    ['a page elsewhere, by what the browser says', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a file or a sandboxed frame', { origin: 'null' }, 403],
  ])('%s', async ([, headers, status], { runtime, door }) => {
    await addUser(runtime);
    const logIn = await door.form(logInForm, { host: own, ...headers });
    expect(logIn.statusCode).toBe(status);
    if (status === 403) expect(logIn.json()).toMatchObject({ code: 'not-allowed' });
    const cookie = cookieOf(await door.form(logInForm));
    const refreshed = await door.form(refreshForm, { host: own, cookie, ...headers });
    expect(refreshed.statusCode).toBe(status);
    if (status === 403) expect(refreshed.headers['set-cookie']).toBeUndefined();
  });
});

test('the cookie knows the base path, and is Secure behind a trusted proxy with TLS', async ({
  runtime,
  authenticate,
}) => {
  await addUser(runtime);
  const settings = { basePath: '/alertws', reference: false, trustProxy: ['10.0.0.1'] };
  const app = buildApp(runtime, authenticate, settings);
  const logIn = (remoteAddress: string) =>
    app.inject({
      method: 'POST',
      url: '/alertws/api/v1/auth/login',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'plant.example',
        origin: 'https://plant.example',
        host: remoteAddress === '10.0.0.1' ? 'internal:8080' : 'plant.example',
      },
      payload: new URLSearchParams(logInForm).toString(),
      remoteAddress,
    });
  const [behind, forged] = [setCookieOf(await logIn('10.0.0.1')), setCookieOf(await logIn('10.0.0.2'))];
  await app.close();
  expect(behind).toMatch(/; Path=\/alertws\/api\/v1\/auth; .*; Secure$/);
  expect(forged).not.toContain('Secure');
});

test('no log line carries the cookie', async ({ runtime, clock }) => {
  await addUser(runtime);
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const { door, close } = await openInstallation({ ...runtime, log }, clock);
  const cookie = cookieOf(await door.form(logInForm));
  await refresh(door, cookie);
  clock.advance(60);
  await refresh(door, cookie);
  await close();
  expect(lines.join('')).toContain('refresh token used twice');
  expect(lines.join('')).not.toContain('tcr_1_');
});
