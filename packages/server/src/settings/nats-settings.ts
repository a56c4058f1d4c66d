import { isIP } from 'node:net';
import { Type } from 'typebox';
import type { NatsAccess } from '../hub/nodes/nats.channel.ts';

/** The settings of the connection to NATS. */
export const natsSettings = {
  natsUrl: Type.Optional(
    Type.String({
      pattern: '^(nats|tls)://[^, ]+(, *(nats|tls)://[^, ]+)*$',
      file: 'also',
      mustBe: 'URLs such as nats://user:password@host:4222, separated by commas',
      description: 'NATS, through which several servers exchange alarms at once rather than within a second.',
    }),
  ),
  natsCredentials: Type.Optional(
    Type.String({
      pattern: 'BEGIN NATS USER JWT[^]*BEGIN USER NKEY SEED',
      file: 'only',
      mustBe: 'a credentials file of NATS, with the JWT of a user and its seed',
      description: 'Credentials file (`.creds`) of the user as which this server connects to NATS.',
    }),
  ),
  natsCa: Type.Optional(
    Type.String({
      pattern: 'BEGIN CERTIFICATE',
      file: 'only',
      mustBe: 'certificates in PEM',
      description:
        'File with the CA of a NATS whose URL begins with `tls:`; by default the CAs that Node.js knows.',
    }),
  ),
};

type NatsSettings = {
  readonly natsUrl?: string;
  readonly natsCredentials?: string;
};

/** The servers of `NATS_URL`, which may name several of one cluster. */
function natsServersOf({ natsUrl }: NatsSettings): readonly string[] {
  return natsUrl?.split(/, */) ?? [];
}

/** How to connect to NATS; undefined without `NATS_URL`. */
export function natsAccessOf(settings: NatsSettings & { readonly natsCa?: string }): NatsAccess | undefined {
  const servers = natsServersOf(settings);
  if (servers.length === 0) return undefined;
  return { servers, credentials: settings.natsCredentials, ca: settings.natsCa };
}

/** The faults in the combination of NATS settings. */
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
