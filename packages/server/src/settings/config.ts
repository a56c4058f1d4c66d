import { type Static, Type } from 'typebox';
import { egressFaults } from '../channels/network/egress-rules.ts';
import { isAddressRange } from '../common/address-range.ts';
import { auditSettings } from './audit-settings.ts';
import { connectionSettings } from './connection-settings.ts';
import { logInSettings } from './log-in-settings.ts';
import { natsFaults, natsSettings } from './nats-settings.ts';
import { disclosureSettings } from './security-contact-settings.ts';
import { ConfigError, defaultOf, type Environment, readSetting } from './setting.ts';
import { speechFaults, speechSettings } from './speech-settings.ts';
import { telephonyFaults, telephonySettings } from './telephony-settings.ts';
import { tlsFaults } from './tls-settings.ts';
import { traceSettings } from './trace-settings.ts';

const OidcIssuer = Type.Object(
  {
    issuer: Type.String({ pattern: '^https?://' }),
    audience: Type.String({ minLength: 1 }),
    tenantId: Type.Integer({ minimum: 1, maximum: 4_294_967_295 }),
    jwksUri: Type.Optional(Type.String({ pattern: '^https?://' })),
  },
  // A member of an older release must not be ignored, because it may have limited access.
  { additionalProperties: false },
);

/** Trusted proxies must be listed: no word such as `true` or `loopback` is accepted. */
const AddressRange = Type.Refine(Type.String(), isAddressRange);

/** Of several hosts the driver would use only one, and it does not support `target_session_attrs`. */
const databaseUrl = {
  pattern:
    '^postgres(ql)?://(?!.*[?&]target_session_attrs=)(?!.*[?&]host=[^&]*(,|%2C))([^/?#]*@)?[^/?#,@]*([/?#].*)?$',
  file: 'also',
  mustBe:
    'a URL such as postgres://user:password@host:5432/tocsin, with one host and without target_session_attrs',
};
const address = { minLength: 1, mustBe: 'a host name or an IP address' };
const filePath = { pattern: '^/', mustBe: 'the full path of a file, such as /etc/tocsin/server.pem' };
const port = { minimum: 0, maximum: 65_535 };
const rate = { minimum: 1, maximum: 1_000_000 };

/**
 * Every setting of the server. The member `databaseUrl` is read from the variable `DATABASE_URL`, and so on; the
 * tables in docs/configuration.md are written from this object.
 */
export const Settings = Type.Object({
  databaseUrl: Type.String({
    ...databaseUrl,
    description: 'PostgreSQL, as `postgres://user:password@host:port/database`.',
  }),
  migrateDatabaseUrl: Type.Optional(
    Type.String({
      ...databaseUrl,
      description: 'The same database as the role that owns its tables; by default `DATABASE_URL`.',
    }),
  ),
  backupDatabaseUrl: Type.Optional(
    Type.String({
      ...databaseUrl,
      description:
        'The same database as a role that sees the rows of all tenants, for the command `backup`; by default `MIGRATE_DATABASE_URL`.',
    }),
  ),
  autoMigrate: Type.Boolean({
    default: true,
    description: 'Migrate the database to this release at start.',
  }),
  allowSuperuserLogin: Type.Boolean({
    default: false,
    description: 'For demonstrations: accept a login to PostgreSQL as a superuser.',
  }),
  ...connectionSettings,
  // Without TLS, tokens and alarms are sent in clear, so listening on the network must be chosen.
  host: Type.String({
    ...address,
    default: '127.0.0.1',
    description: 'Address to listen on; by default this machine only, `0.0.0.0` for all its addresses.',
  }),
  port: Type.Integer({ ...port, default: 8_080, description: 'Port to listen on; 0 takes a free one.' }),
  tlsCertFile: Type.Optional(
    Type.String({
      ...filePath,
      description:
        'Certificate with its chain, in PEM: the server then speaks HTTPS only. Read again when it changes.',
    }),
  ),
  tlsKeyFile: Type.Optional(
    Type.String({ ...filePath, description: 'Private key of that certificate, in PEM.' }),
  ),
  tlsClientCaFile: Type.Optional(
    Type.String({
      ...filePath,
      description: 'CA, in PEM: only clients with a certificate of this CA are accepted.',
    }),
  ),
  basePath: Type.String({
    pattern: '^(/[A-Za-z0-9._~-]+)*$',
    default: '',
    mustBe: 'empty, or a path that starts with / and does not end with it, such as /alertws',
    description: 'Prefix of every path, such as `/alertws`.',
  }),
  console: Type.Enum(['on', 'off'], {
    default: 'on',
    description: 'Serve the operator console at `/`; `off` leaves the interface alone.',
  }),
  adminHost: Type.String({
    ...address,
    default: '127.0.0.1',
    description: 'Address of the metrics, which need no token.',
  }),
  adminPort: Type.Integer({ ...port, default: 9_464, description: 'Port of the metrics; 0 turns them off.' }),
  logLevel: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'The least important log line that is written.',
  }),
  drainMs: Type.Integer({
    minimum: 0,
    maximum: 15_000,
    default: 1_000,
    description: 'How long a stopping server still answers, so that others notice, in milliseconds.',
  }),
  trustProxy: Type.Array(AddressRange, {
    default: [],
    mustBe: 'IP addresses or CIDR ranges separated by commas, such as 10.0.0.0/8,192.168.1.7',
    description: 'Proxies whose `X-Forwarded-For` is trusted: addresses and CIDR ranges, comma-separated.',
  }),
  rateLimitPerSecond: Type.Integer({
    ...rate,
    default: 1_000,
    description: 'Requests per second of one user or key, or of one address without a token.',
  }),
  intakeLimitPerSecond: Type.Integer({
    ...rate,
    default: 20_000,
    description: 'Alarms per second that one user or key may send.',
  }),
  allowedOrigins: Type.Array(Type.String({ pattern: '^https?://[^/ ]+$' }), {
    default: [],
    mustBe: 'origins separated by commas, such as https://console.example',
    description:
      "Origins whose pages may use the interface and the hub besides the server's own, comma-separated.",
  }),
  hubConnections: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 20_000,
    description: 'Maximum of hub connections of this server.',
  }),
  hubConnectionsPerCaller: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 1_000,
    description: 'Maximum of hub connections of one user or key.',
  }),
  ...natsSettings,
  nodeAddress: Type.Optional(
    Type.String({
      pattern: '^https?://[^/ ]+$',
      mustBe: 'a URL without a path, such as http://10.0.0.7:8080',
      description:
        'URL at which the other servers reach this one; by default the address it listens on, or the first of the machine.',
    }),
  ),
  nodeCaFile: Type.Optional(
    Type.String({
      ...filePath,
      description:
        'CA, in PEM, of the certificates by which the servers of the installation authenticate each other.',
    }),
  ),
  roles: Type.Array(Type.Enum(['api', 'hub', 'dispatch']), {
    default: ['api', 'hub', 'dispatch'],
    minItems: 1,
    mustBe: 'some of api, hub and dispatch, separated by commas',
    description: 'Roles of this server: answer the interface, push to hub clients, call people.',
  }),
  publicUrl: Type.String({
    pattern: '^(https?://[^ ]+[^/ ])?$',
    default: '',
    mustBe: 'a URL that does not end with /, such as https://alarms.example',
    description:
      'URL at which people and providers reach this server, with or without its `BASE_PATH`: for links in messages and for call-backs.',
  }),
  heartbeatUrl: Type.Optional(
    Type.String({
      pattern: '^https?://',
      file: 'also',
      mustBe: 'a URL such as https://watch.example/ping/tocsin',
      description:
        'Requested every 30 s while calling works, for an external monitor that reports a missing request.',
    }),
  ),
  ...traceSettings,
  retentionMonths: Type.Integer({
    minimum: 0,
    maximum: 1_200,
    default: 0,
    description:
      'Months that histories, the journal and the calls made for them are kept; 0 keeps everything.',
  }),
  ...auditSettings,
  ...disclosureSettings,
  egressAllow: Type.Array(Type.String(), {
    default: [],
    file: 'also',
    description:
      'Private addresses to which messages may be sent, [with ports and tenants](operations.md#where-messages-may-go).',
  }),
  secretsKey: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9+/]{43}=(\\r?\\n[A-Za-z0-9+/]{43}=)*$',
      file: 'only',
      mustBe: '32 random bytes in base64; the keys before it, if any, on the lines below',
      description:
        'File with the key that encrypts secrets in the database, then any former keys; the same for all servers.',
    }),
  ),
  stateFolder: Type.String({
    minLength: 1,
    default: '.tocsin',
    mustBe: 'the path of a folder',
    description:
      'Folder in which the server stores spoken prompts, and a secrets key of its own if there is no `SECRETS_KEY_FILE`.',
  }),
  commandsFile: Type.Optional(
    Type.String({
      pattern: '^/',
      mustBe: 'the full path of a file, such as /etc/tocsin/commands.json',
      description: 'JSON list of the programs that alarms may run; by default none.',
    }),
  ),
  ...telephonySettings,
  ...speechSettings,
  smsModemDirectory: Type.Optional(
    Type.String({
      pattern: '^/',
      mustBe: 'the full path of a folder, such as /var/spool/tocsin-sms',
      description:
        'Folder with one folder for each tenant, by its number, and in it one for [each SMS modem](sms.md#a-modem-in-the-plant); by default none.',
    }),
  ),
  ...logInSettings,
  oidcIssuers: Type.Array(OidcIssuer, {
    default: [],
    file: 'only',
    mustBe:
      'a JSON list of {"issuer": "https://…", "audience": "…", "tenantId": 1}, with jwksUri as an option and nothing else',
    description:
      'File with a JSON list of `{issuer, audience, tenantId, jwksUri?}`: outside issuers to trust, each for one tenant.',
  }),
});
export type Config = Static<typeof Settings>;

/** Reads and checks every setting. The error lists all faults at once. */
export function readConfig(environment: Environment): Config {
  const { settings, faults } = readSettings(environment);
  if (faults.length > 0) throw new ConfigError(faults);
  return settings as Config;
}

/** Settings of which some may be wrong; only the one without a default can then be missing. */
export type ReadSettings = Omit<Config, 'databaseUrl'> & Partial<Pick<Config, 'databaseUrl'>>;

/** Reads every setting, with the defaults of those that are wrong, and lists all faults. */
export function readSettings(environment: Environment): { settings: ReadSettings; faults: string[] } {
  const faults: string[] = [];
  const settings: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(Settings.properties)) {
    try {
      const value = readSetting(environment, name, schema);
      if (value !== undefined) settings[name] = value;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...error.faults);
      const usual = defaultOf(schema);
      if (usual !== undefined) settings[name] = usual;
    }
  }
  if (faults.length === 0) faults.push(...combinationFaults(settings as Config));
  return { settings: settings as ReadSettings, faults };
}

function combinationFaults(config: Config): string[] {
  const checks = [
    adminFaults,
    natsFaults,
    tlsFaults,
    issuerFaults,
    egressFaults,
    telephonyFaults,
    speechFaults,
  ];
  return checks.flatMap((faultsOf) => faultsOf(config));
}

function adminFaults({ firstAdminUsername, firstAdminPassword }: Config): string[] {
  if ((firstAdminUsername === undefined) === (firstAdminPassword === undefined)) return [];
  return ['FIRST_ADMIN_USERNAME and FIRST_ADMIN_PASSWORD_FILE go together: set both or neither'];
}

function issuerFaults({ oidcIssuers }: Config): string[] {
  const issuers = oidcIssuers.map(({ issuer }) => issuer);
  const twice = issuers.find((issuer, place) => issuers.indexOf(issuer) !== place);
  if (twice === undefined) return [];
  return [`OIDC_ISSUERS_FILE names ${twice} twice: an issuer belongs to one tenant`];
}

/** The public URL of the interface; empty if it is not configured. */
export function publicBase({ publicUrl, basePath }: Pick<Config, 'publicUrl' | 'basePath'>): string {
  if (publicUrl === '') return '';
  const hasPrefix = basePath !== '' && new URL(publicUrl).pathname.endsWith(basePath);
  return hasPrefix ? publicUrl : `${publicUrl}${basePath}`;
}
