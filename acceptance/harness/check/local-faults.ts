import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { freePort } from '../../../tools/postgres-cluster.ts';
import { startNats } from '../hub/nats.ts';
import type { PlantedFault } from './planted-fault.ts';

const inEnvironment = 'correct it in the environment of the server';

/** A web server that is not Tocsin; returns its port. */
async function otherProgram(): Promise<string> {
  const server = createServer((_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return String((server.address() as AddressInfo).port);
}

/** A list in which the program that speaks is missing. */
const silentProgram = JSON.stringify([
  { name: 'espeak-ng', argv: ['/nowhere/espeak-ng', '-w', '{output}'], voices: { en: 'en' } },
]);

const insertChannel = (kind: string, medium: string, settings: object) =>
  `insert into channels (tenant_id, id, name, search_text, kind, medium, priority, enabled, settings, last_change)
   values (1, 9, 'Line 9', 'line 9', '${kind}', '${medium}', 1, true, '${JSON.stringify(settings)}', now())`;

/** Faults of settings, files, ports, certificates, NATS and programs. */
export const localFaults: readonly PlantedFault[] = [
  {
    fault: 'a port that is not a number',
    plant: () => ({ environment: { PORT: '80a' } }),
    names: ['settings.PORT'],
    message: /PORT is "80a": it must be a whole number from 0 to 65535/,
    remedy: inEnvironment,
  },
  {
    fault: 'two wrong settings',
    plant: () => ({ environment: { LOG_LEVEL: 'loud', DRAIN_MS: 'soon' } }),
    names: ['settings.LOG_LEVEL', 'settings.DRAIN_MS'],
    message: /LOG_LEVEL is "loud"/,
    remedy: inEnvironment,
  },
  {
    fault: 'no DATABASE_URL',
    plant: () => ({ environment: { DATABASE_URL: '' } }),
    names: ['settings.DATABASE_URL'],
    message: /DATABASE_URL is not set/,
    remedy: inEnvironment,
  },
  {
    fault: 'a file of a setting that is not there',
    plant: () => ({ environment: { SECRETS_KEY_FILE: '/nowhere/key' } }),
    names: ['settings.SECRETS_KEY_FILE', 'secrets.key', 'channels.unusable'],
    message: /names a file that cannot be read: ENOENT/,
    remedy: inEnvironment,
  },
  {
    fault: 'settings that do not go together',
    plant: () => ({ environment: { TLS_KEY_FILE: '' } }),
    names: ['settings.TLS_CERT_FILE'],
    message: /TLS_CERT_FILE and TLS_KEY_FILE go together/,
    remedy: inEnvironment,
  },
  {
    fault: 'no public URL',
    plant: () => ({ environment: { PUBLIC_URL: '' } }),
    names: ['settings.public-url'],
    severity: 'warning',
    message: /messages have no links/,
    remedy: 'set PUBLIC_URL to the address that people and providers use',
  },
  {
    fault: 'a public URL without TLS',
    plant: () => ({ environment: { PUBLIC_URL: 'http://alarms.example' } }),
    names: ['settings.public-url'],
    severity: 'warning',
    message: /in clear/,
    remedy: 'begin PUBLIC_URL with https',
  },
  {
    fault: 'a public URL with a query',
    plant: () => ({ environment: { PUBLIC_URL: 'https://alarms.example?site=1' } }),
    names: ['settings.public-url'],
    message: /links made from it do not work/,
    remedy: 'set PUBLIC_URL',
  },
  {
    fault: 'a login as a superuser that is permitted',
    plant: () => ({ environment: { ALLOW_SUPERUSER_LOGIN: 'true' } }),
    names: ['settings.superuser-login'],
    severity: 'warning',
    message: /would expose the whole PostgreSQL/,
    remedy: 'unset it',
  },
  {
    fault: 'a secret that every user of the machine can read',
    plant: async (site) => ({
      environment: {
        DATABASE_URL: '',
        DATABASE_URL_FILE: await site.file('url', site.environment['DATABASE_URL'] ?? '', 0o644),
      },
    }),
    names: ['files.readable-by-others'],
    severity: 'warning',
    message: /^DATABASE_URL_FILE .* can be read by every user/,
    remedy: 'chmod o= ',
  },
  {
    fault: 'a state folder that cannot be created, so that there is none for speech',
    plant: async (site) => ({ environment: { STATE_FOLDER: `${await site.file('file', '')}/state` } }),
    names: ['files.folder'],
    message: /^SPEECH_DIRECTORY .* cannot be written: .* is not a folder/,
    remedy: 'create the folder',
  },
  {
    fault: 'a folder for modems that is not there',
    plant: () => ({ environment: { SMS_MODEM_DIRECTORY: '/nowhere/modems' } }),
    names: ['files.folder'],
    message: /^SMS_MODEM_DIRECTORY .* cannot be read/,
    remedy: 'correct SMS_MODEM_DIRECTORY',
  },
  {
    fault: 'a port that another program uses',
    plant: async () => ({ environment: { PORT: await otherProgram() } }),
    names: ['network.port'],
    message: /is in use by another program/,
    remedy: 'set another PORT',
  },
  {
    fault: 'a port of the metrics that another program uses',
    plant: async () => ({ environment: { ADMIN_PORT: await otherProgram() } }),
    names: ['network.admin-port'],
    message: /is in use by another program/,
    remedy: 'set another ADMIN_PORT',
  },
  {
    fault: 'an address of another machine',
    plant: () => ({ environment: { HOST: '192.0.2.1' } }),
    names: ['network.port'],
    message: /cannot be opened: EADDRNOTAVAIL/,
    remedy: 'set HOST to an address of this machine',
  },
  {
    fault: 'a private key of another certificate',
    plant: async ({ authority }) => ({
      environment: { TLS_KEY_FILE: (await authority.issue('stranger')).keyFile },
    }),
    names: ['tls.files'],
    message: /cannot be used with/,
    remedy: 'TLS_KEY_FILE its private key',
  },
  {
    fault: 'a certificate that has expired',
    plant: async ({ authority }) => {
      const { certFile, keyFile } = await authority.issue('old', ['DNS:alarms.example'], -1);
      return { environment: { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } };
    },
    names: ['tls.expiry'],
    message: /expired on \d{4}-\d\d-\d\d/,
    remedy: 'replace TLS_CERT_FILE and TLS_KEY_FILE',
  },
  {
    fault: 'a certificate that expires soon',
    plant: async ({ authority }) => {
      const { certFile, keyFile } = await authority.issue('short', ['DNS:alarms.example'], 10);
      return { environment: { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } };
    },
    names: ['tls.expiry'],
    severity: 'warning',
    message: /expires soon, on \d{4}-\d\d-\d\d/,
    remedy: 'replace TLS_CERT_FILE and TLS_KEY_FILE',
  },
  {
    fault: 'a certificate for another name',
    plant: () => ({ environment: { PUBLIC_URL: 'https://other.example' } }),
    names: ['tls.host-name'],
    severity: 'warning',
    message: /is for DNS:alarms\.example, not for other\.example/,
    remedy: 'get a certificate for other.example',
  },
  {
    fault: 'a CA of clients that expires soon',
    plant: ({ authority }) => ({ environment: { TLS_CLIENT_CA_FILE: authority.caFile } }),
    names: ['tls.authority'],
    severity: 'warning',
    message: /A CA in .* expires soon/,
    remedy: 'replace it in',
  },
  {
    fault: 'a NATS that does not run',
    plant: async () => ({ environment: { NATS_URL: `nats://127.0.0.1:${await freePort()}` } }),
    names: ['nats.unreachable'],
    message: /cannot be used/,
    remedy: 'start NATS, or correct NATS_URL',
  },
  {
    fault: 'a wrong password for NATS',
    plant: ({ natsPort }) => ({ environment: { NATS_URL: `nats://tocsin:wrong@127.0.0.1:${natsPort}` } }),
    names: ['nats.refused'],
    message: /Authorization Violation/i,
    remedy: 'correct the user and password in NATS_URL',
  },
  {
    fault: 'a user of NATS without permissions',
    plant: async (site) => {
      const limits = '{publish: "other.>", subscribe: "other.>"}';
      const users = `authorization { users: [{user: guest, password: guest, permissions: ${limits}}] }`;
      const nats = await startNats(undefined, undefined, await site.file('nats.conf', users));
      onTestFinished(() => nats.stop());
      return { environment: { NATS_URL: `nats://guest:guest@127.0.0.1:${nats.port}` } };
    },
    names: ['nats.forbidden'],
    message: /Permissions Violation/i,
    remedy: 'publish and subscribe `tocsin.>`',
  },
  {
    fault: 'a list of programs that is not one',
    plant: async (site) => ({ environment: { COMMANDS_FILE: await site.file('commands.json', '{}') } }),
    names: ['programs.commands'],
    message: /must be a JSON list of commands/,
    remedy: 'correct the file, or unset COMMANDS_FILE',
  },
  {
    fault: 'telephone calls without a program that speaks',
    plant: async (site) => ({
      environment: {
        ...(await site.copy(insertChannel('sip', 'Voice', { host: '127.0.0.1', transport: 'tcp' }))),
        SPEECH_PROFILES: 'espeak-ng',
        SPEECH_PROGRAMS_FILE: await site.file('programs.json', silentProgram),
      },
    }),
    names: ['programs.speech', 'channels.down'],
    message: /would only beep: nothing can be spoken/,
    remedy: 'install espeak-ng',
  },
  {
    fault: 'a channel whose provider does not answer',
    plant: async (site) => ({
      environment: {
        ...(await site.copy(insertChannel('simulated', 'Sms', { url: 'http://127.0.0.1:1' }))),
        EGRESS_ALLOW: '127.0.0.1',
      },
    }),
    names: ['channels.down', 'channels.simulated'],
    message: /^Channel Line 9 \(Sms\) of tenant Tocsin does not work: /,
    remedy: 'correct its settings in the console',
  },
];
