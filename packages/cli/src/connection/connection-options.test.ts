import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCredentials, readUrl } from './connection-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'tocsin-cli-'));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const passwordFile = file('password', 'correct horse\n');
const tokenFile = file('token', 'tcs_1\n');

test('options win over the environment', () => {
  const environment = { TOCSIN_URL: 'https://a.example', TOCSIN_TOKEN: 'a', TOCSIN_USER: 'anna' };
  expect(readUrl({ url: 'https://b.example/alertws/' }, environment)).toBe('https://b.example/alertws');
  expect(readUrl({}, environment)).toBe('https://a.example');
  expect(readUrl({}, {})).toBe('http://127.0.0.1:8080');
  expect(readCredentials({ token: 'b' }, environment)).toEqual({ kind: 'token', token: 'b' });
  expect(readCredentials({ 'token-file': tokenFile }, environment)).toEqual({
    kind: 'token',
    token: 'tcs_1',
  });
  expect(readCredentials({}, environment)).toEqual({ kind: 'token', token: 'a' });
  expect(readCredentials({ user: 'ben', 'password-file': passwordFile }, environment)).toMatchObject({
    kind: 'user',
    username: 'ben',
    password: 'correct horse',
  });
});

test('the environment alone is enough, and an empty variable counts as absent', () => {
  const environment = { TOCSIN_TOKEN: '', TOCSIN_USER: 'anna', TOCSIN_PASSWORD_FILE: passwordFile };
  expect(readCredentials({}, environment)).toMatchObject({ kind: 'user', username: 'anna' });
  expect(readCredentials({}, { TOCSIN_TOKEN_FILE: tokenFile })).toEqual({ kind: 'token', token: 'tcs_1' });
});

test.for([
  [{}, {}, 'Set TOCSIN_TOKEN to an access token or API key'],
  [{ user: 'anna' }, {}, 'The password of anna is missing: use --password-file FILE.'],
  [{ 'token-file': join(folder, 'gone') }, {}, 'cannot be read (ENOENT)'],
  [{ 'token-file': file('empty', '\n') }, {}, 'is empty'],
] as const)('what is missing is named: %j', ([values, environment, message]) => {
  expect(() => readCredentials(values, environment)).toThrow(message);
});

test.for([
  'alarms.example',
  'ftp://alarms.example',
  'https://anna:secret@alarms.example',
  'https://a.example/?x=1',
])('an address that is none of a server is refused: %s', (url) => {
  expect(() => readUrl({ url }, {})).toThrow(/address of/);
});
