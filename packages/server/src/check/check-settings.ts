import type { ReadSettings } from '../settings/config.ts';
import { error, type Finding, orOk, warning } from './finding.ts';

const correct = 'correct it in the environment of the server (docs/operations.md#settings)';

/** The settings for which the server does not start, each by its variable, and the shape of `PUBLIC_URL`. */
export function checkSettings(settings: ReadSettings, faults: readonly string[]): readonly Finding[] {
  const wrong = faults.map((fault) => error(`settings.${variableIn(fault)}`, fault, correct));
  const found = [...wrong, ...publicUrlFindings(settings), ...superuserFindings(settings)];
  return orOk(found, 'settings', 'All settings are valid');
}

/** Each fault begins with the name of its variable. */
function variableIn(fault: string): string {
  return /^[A-Z][A-Z_]+/.exec(fault)?.[0].replace(/_$/, '') ?? 'combination';
}

const name = 'settings.public-url';
const setIt = 'set PUBLIC_URL to the address that people and providers use, such as https://alarms.example';

function publicUrlFindings({ publicUrl, roles }: ReadSettings): Finding[] {
  if (publicUrl === '') {
    const lacks = 'PUBLIC_URL is not set: messages have no links, and providers cannot report outcomes';
    return roles.includes('dispatch') ? [warning(name, lacks, setIt)] : [];
  }
  if (!URL.canParse(publicUrl)) return [error(name, `PUBLIC_URL (${publicUrl}) is not a URL`, setIt)];
  const { protocol, hostname, search, hash, username } = new URL(publicUrl);
  if (search !== '' || hash !== '' || username !== '')
    return [
      error(name, 'PUBLIC_URL has a user, a query or a fragment: links made from it do not work', setIt),
    ];
  if (protocol === 'https:' || isLoopback(hostname)) return [];
  const open = `PUBLIC_URL begins with http: passwords and answers to calls are sent to ${hostname} in clear`;
  const useTls =
    'use TLS in the server or in a proxy (docs/operations.md#tls), and begin PUBLIC_URL with https';
  return [warning(name, open, useTls)];
}

function superuserFindings({ allowSuperuserLogin }: ReadSettings): Finding[] {
  if (!allowSuperuserLogin) return [];
  const message =
    'ALLOW_SUPERUSER_LOGIN is true: a single vulnerability would expose the whole PostgreSQL, with all its databases';
  const remedy = 'unset it, and log in as a role that may become tocsin_app and nothing else';
  return [warning('settings.superuser-login', message, remedy)];
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.[0-9.]+$/.test(hostname);
}
