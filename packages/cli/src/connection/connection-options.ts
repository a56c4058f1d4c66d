import { type Environment, type Option, textOf, type Values } from '../command/command.ts';
import { wrongUsage } from '../common/command-error.ts';
import { readSecretFile } from '../common/read-secret-file.ts';

/** The address that the server has by default. */
const defaultUrl = 'http://127.0.0.1:8080';

export const urlOption: Option = {
  name: 'url',
  value: 'URL',
  help: `address of the server, with its base path if it has one; TOCSIN_URL, by default ${defaultUrl}`,
};

export const userOptions: readonly Option[] = [
  { name: 'user', value: 'NAME', help: 'log in as this user, with --password-file; TOCSIN_USER' },
  { name: 'password-file', value: 'FILE', help: 'file with the password; TOCSIN_PASSWORD_FILE' },
  { name: 'totp', value: 'CODE', help: 'six digits of the authenticator app, for an account that has one' },
];

/** The options of commands that talk to a server. */
export const connectionOptions: readonly Option[] = [
  urlOption,
  { name: 'token', value: 'TOKEN', help: 'access token or API key; TOCSIN_TOKEN, which others cannot see' },
  { name: 'token-file', value: 'FILE', help: 'file with the token or API key; TOCSIN_TOKEN_FILE' },
  ...userOptions,
];

export type LogInDetails = { username: string; password: string; totp: string | undefined };
export type Credentials = { kind: 'token'; token: string } | ({ kind: 'user' } & LogInDetails);

/** Host and base path of the server, without a slash at the end. */
export function readUrl(values: Values, environment: Environment): string {
  const text = textOf(values, 'url') ?? setting(environment, 'TOCSIN_URL') ?? defaultUrl;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw wrongUsage(`${text} is not the address of a server. Use one such as https://alarms.example.`);
  if (url.username !== '' || url.search !== '' || url.hash !== '')
    throw wrongUsage('The address of the server must not have a user, a query or a fragment.');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** Options are preferred to the environment, and a token to a user. */
export function readCredentials(values: Values, environment: Environment): Credentials {
  const token = textOf(values, 'token') ?? fileOf(values, 'token-file');
  if (token !== undefined) return { kind: 'token', token };
  const user = textOf(values, 'user');
  if (user !== undefined) return readUser(values, environment);
  const file = setting(environment, 'TOCSIN_TOKEN_FILE');
  const given = setting(environment, 'TOCSIN_TOKEN') ?? (file && readSecretFile(file, 'TOCSIN_TOKEN_FILE'));
  if (given !== undefined) return { kind: 'token', token: given };
  return readUser(values, environment);
}

export function readUser(values: Values, environment: Environment): { kind: 'user' } & LogInDetails {
  const username = textOf(values, 'user') ?? setting(environment, 'TOCSIN_USER');
  if (username === undefined)
    throw wrongUsage(
      'Who are you? Set TOCSIN_TOKEN to an access token or API key, or use --user NAME --password-file FILE.',
    );
  const given = fileOf(values, 'password-file');
  const file = setting(environment, 'TOCSIN_PASSWORD_FILE');
  const password = given ?? (file && readSecretFile(file, 'TOCSIN_PASSWORD_FILE'));
  if (password === undefined || password === '')
    throw wrongUsage(`The password of ${username} is missing: use --password-file FILE.`);
  return { kind: 'user', username, password, totp: textOf(values, 'totp') };
}

/** An empty variable counts as absent. */
const setting = (environment: Environment, name: string) => environment[name] || undefined;

function fileOf(values: Values, option: string): string | undefined {
  const file = textOf(values, option);
  return file === undefined ? undefined : readSecretFile(file, `--${option}`);
}
