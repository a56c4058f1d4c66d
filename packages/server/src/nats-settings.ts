import { isIP } from 'node:net';

type NatsSettings = {
  readonly natsUrl?: string;
  readonly natsCredentials?: string;
};

/** The servers of `NATS_URL`, which may name several of one cluster. */
export function natsServersOf({ natsUrl }: NatsSettings): readonly string[] {
  return natsUrl?.split(/, */) ?? [];
}

/** What is wrong with the settings of NATS taken together. */
export function natsFaults(settings: NatsSettings): string[] {
  const { natsCredentials } = settings;
  const urls = natsServersOf(settings);
  if (urls.some((url) => !URL.canParse(url))) return ['NATS_URL has a part that is not a URL'];
  const servers = urls.map((url) => new URL(url));
  const hasUser = servers.some(({ username }) => username !== '');
  if (hasUser && natsCredentials !== undefined)
    return ['NATS_URL names a user and NATS_CREDENTIALS_FILE another one: keep one of them'];
  const open = servers.find(({ hostname }) => !isLoopback(hostname));
  if (open === undefined || hasUser || natsCredentials !== undefined) return [];
  return [
    `NATS_URL names ${open.host} without credentials: anybody who reaches it could listen and publish there. ` +
      'Let NATS ask for a user, and name it as in NATS_URL=tls://user:password@host:4222 or by NATS_CREDENTIALS_FILE. ' +
      'Only a NATS server on this machine (127.0.0.1, ::1, localhost) may be used without',
  ];
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
