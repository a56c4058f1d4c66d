import { pino } from 'pino';
import { describe, expect } from 'vitest';
import {
  addUser,
  goodPassword,
  openInstallation,
  test,
  testInOneInstallation,
} from '../../testing/identity.fixture.ts';

const path = '/api/v1/auth/login';
const formType = { 'content-type': 'application/x-www-form-urlencoded' };
const right = { grant_type: 'password', username: 'anna', password: goodPassword };

/** One server for tests that leave no failures behind. */
const testAsking = testInOneInstallation.extend('door', { scope: 'file' }, async ({ installation }) => {
  await addUser(installation.runtime, { username: 'anna' });
  await addUser(installation.runtime, { username: 'dieter', enabled: false });
  await addUser(installation.runtime, { username: 'paula', password: null });
  return installation.door;
});

testAsking('a log-in answers exactly what old clients expect, and a refresh token', async ({ door }) => {
  const answer = await door.form(right);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.json()).toEqual({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    token_type: 'bearer',
    expires_in: 900,
    refresh_token: expect.stringMatching(/^tcr_1_[\w-]{43}$/),
    id: '1',
    name: 'anna at the plant',
  });
});

describe('the form is read', () => {
  testAsking.for<[string, Record<string, string>, Record<string, string>]>([
    ['with a charset', right, { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }],
    ['in any case', right, { 'content-type': 'APPLICATION/X-WWW-FORM-URLENCODED' }],
    ['with members it does not know', { ...right, client_id: 'app', scope: 'all' }, formType],
    ['with the name in another case', { ...right, username: 'ANNA' }, formType],
    ['with an empty field that is not needed', { ...right, refresh_token: '' }, formType],
    ['with an old token in the header', right, { ...formType, authorization: 'Bearer expired' }],
  ])('%s', async ([, fields, headers], { door }) => {
    expect((await door.form(fields, headers)).statusCode).toBe(200);
  });
});

describe('a log-in is refused with an OAuth error', () => {
  testAsking.for<[string, string, string]>([
    ['nothing at all', '', 'invalid_request'],
    ['no grant type', 'username=anna&password=x', 'invalid_request'],
    ['an empty grant type', 'grant_type=&username=anna&password=x', 'invalid_request'],
    ['a grant type we do not have', 'grant_type=client_credentials', 'unsupported_grant_type'],
    ['a grant type in another case', 'grant_type=Password', 'unsupported_grant_type'],
    ['no user name', 'grant_type=password&password=x', 'invalid_request'],
    ['no password', 'grant_type=password&username=bob', 'invalid_request'],
    ['an empty password', 'grant_type=password&username=bob&password=', 'invalid_request'],
    ['two user names', 'grant_type=password&username=bob&username=anna&password=x', 'invalid_request'],
    ['two grant types', 'grant_type=password&grant_type=password', 'invalid_request'],
    ['no refresh token', 'grant_type=refresh_token', 'invalid_request'],
    ['a refresh token of nobody', 'grant_type=refresh_token&refresh_token=x', 'invalid_grant'],
    ['JSON inside the form', '{"grant_type":"password"}', 'invalid_request'],
    ['a field named __proto__', '__proto__=x&grant_type=password', 'invalid_request'],
  ])('%s', async ([, payload, error], { door }) => {
    const answer = await door.send({ method: 'POST', url: path, headers: formType, payload });
    expect(answer.statusCode).toBe(400);
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({ error, error_description: expect.any(String) });
    expect(answer.json().error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  });

  testAsking('no body and no content type', async ({ door }) => {
    const answer = await door.send({ method: 'POST', url: path });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toBe('invalid_request');
  });
});

describe('the answer does not reveal the reason', () => {
  testAsking.for<[string, string, string]>([
    ['a name nobody has', 'nobody', goodPassword],
    ['a wrong password', 'anna', 'wrong horse battery'],
    ['a disabled user', 'dieter', goodPassword],
    ['a user without a password', 'paula', goodPassword],
    ['a name with NUL in it', 'an\u0000na', goodPassword],
    ['a name of a kilobyte', 'a'.repeat(1_024), goodPassword],
    ['a name with SQL in it', "anna' --", goodPassword],
    ['a name with a wildcard', 'ann%', goodPassword],
  ])('%s', async ([why, username, password], { door }) => {
    const answer = await door.logIn(username, password, `198.51.100.${why.length}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      error: 'invalid_grant',
      error_description: 'The user name or password is wrong',
    });
  });
});

describe('a log-in must be a form', () => {
  testAsking.for(['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'application/xml'])(
    '%s is 415',
    async (contentType, { door }) => {
      const payload = JSON.stringify(right);
      const headers = { 'content-type': contentType };
      const answer = await door.send({ method: 'POST', url: path, headers, payload });
      expect(answer.statusCode).toBe(415);
      expect(answer.json()).toMatchObject({ code: 'unsupported-media-type' });
    },
  );

  testAsking('and nothing but a log-in is a form', async ({ door }) => {
    const { access_token } = (await door.form(right)).json();
    const headers = { ...formType, authorization: `Bearer ${access_token}` };
    const url = '/api/v1/auth/logout';
    expect((await door.send({ method: 'POST', url, headers, payload: 'a=b' })).statusCode).toBe(415);
  });

  testAsking('a form of more than 16 kB is 413', async ({ door }) => {
    const answer = await door.form({ ...right, password: 'x'.repeat(16_384) });
    expect(answer.statusCode).toBe(413);
  });

  testAsking('there is nothing to read there', async ({ door }) => {
    expect((await door.send({ method: 'GET', url: path })).statusCode).toBe(405);
  });
});

testAsking('logging out needs a token', async ({ door }) => {
  const answer = await door.send({ method: 'POST', url: '/api/v1/auth/logout' });
  expect(answer.statusCode).toBe(401);
});

testAsking('a password in the address line is not taken', async ({ door }) => {
  const url = `${path}?${new URLSearchParams(right).toString()}`;
  const answer = await door.send({ method: 'POST', url, headers: formType, payload: '' });
  expect(answer.statusCode).toBe(400);
});

test('no answer and no log line carries a password, a hash or a token', async ({ runtime, clock }) => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const installation = await openInstallation({ ...runtime, log }, clock);
  await addUser(runtime);
  const { access_token, refresh_token } = (await installation.door.logIn()).json();
  await installation.door.logIn('anna', 'a secret typed wrong');
  await installation.door.logIn('my password in the wrong field', 'x');
  const answers = [
    await installation.door.get(access_token, '/users'),
    await installation.door.get(`${access_token}x`),
    await installation.door.refresh(refresh_token),
    await installation.door.refresh(refresh_token),
  ];
  await installation.close();
  const said = lines.join('');
  expect(said).toContain('refresh token used twice');
  for (const secret of [
    goodPassword,
    'typed wrong',
    'wrong field',
    access_token,
    refresh_token,
    '$argon2id',
  ]) {
    expect(said).not.toContain(secret);
  }
  expect(answers[0]?.statusCode).toBe(200);
  expect(answers[0]?.body).not.toMatch(/argon2|password|hash/i);
});
