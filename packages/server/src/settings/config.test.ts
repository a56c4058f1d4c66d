import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig, Settings } from './config.ts';
import { ConfigError } from './setting.ts';
import { defaultTraceSettings, tracedSettings, traceVariables } from './trace-settings.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'tocsin-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const databaseUrl = 'postgres://tocsin@localhost/tocsin';
const natsCa = '-----BEGIN CERTIFICATE-----\nMade+Up==\n-----END CERTIFICATE-----';
const natsCredentials = `-----BEGIN NATS USER JWT-----
made.up.jwt
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
MADEUPSEED
------END USER NKEY SEED------`;
const read = (more: Record<string, string> = {}) => readConfig({ DATABASE_URL: databaseUrl, ...more });

function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
}
const faultsWith = (more: Record<string, string>) => faultsOf({ DATABASE_URL: databaseUrl, ...more });

test('only the database must be named; everything else has a default', () => {
  expect(read()).toEqual({
    databaseUrl,
    autoMigrate: true,
    allowSuperuserLogin: false,
    databaseConnections: 10,
    alarmConnections: 4,
    configurationCacheMb: 64,
    host: '127.0.0.1',
    port: 8080,
    basePath: '',
    console: 'on',
    adminHost: '127.0.0.1',
    adminPort: 9464,
    logLevel: 'info',
    drainMs: 1000,
    ...defaultTraceSettings,
    trustProxy: [],
    rateLimitPerSecond: 1000,
    intakeLimitPerSecond: 20_000,
    allowedOrigins: [],
    hubConnections: 20_000,
    hubConnectionsPerCaller: 1_000,
    roles: ['api', 'hub', 'dispatch'],
    publicUrl: '',
    retentionMonths: 0,
    sessionHours: 720,
    auditRetentionMonths: 0,
    securityContact: [],
    securityLanguages: ['en'],
    egressAllow: [],
    stateFolder: '.tocsin',
    sipPorts: '16000-23999',
    speechProfiles: ['pico', 'espeak-ng'],
    speechPrograms: [],
    speechCacheMegabytes: 200,
    oidcIssuers: [],
  });
});

test('every setting can be set', () => {
  const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';
  const secretsKey = [1, 2].map((n) => Buffer.alloc(32, n).toString('base64')).join('\n');
  const issuers = [{ issuer: 'https://id.example', audience: 'tocsin', tenantId: 1 }];
  const programs = [{ name: 'own', argv: ['/opt/own', '{voice}'], voices: { fr: 'jeanne' } }];
  const config = read({
    MIGRATE_DATABASE_URL: 'postgresql://owner@localhost/tocsin',
    BACKUP_DATABASE_URL: 'postgresql://backup@localhost/tocsin',
    AUTO_MIGRATE: 'false',
    ALLOW_SUPERUSER_LOGIN: 'true',
    DATABASE_CONNECTIONS: '40',
    ALARM_CONNECTIONS: '8',
    HOST: '0.0.0.0',
    PORT: '0',
    TLS_CERT_FILE: '/etc/tocsin/server.pem',
    TLS_KEY_FILE: '/etc/tocsin/server.key',
    TLS_CLIENT_CA_FILE: '/etc/tocsin/devices.pem',
    BASE_PATH: '/plants/alertws',
    CONSOLE: 'off',
    ADMIN_HOST: '0.0.0.0',
    ADMIN_PORT: '0',
    LOG_LEVEL: 'debug',
    DRAIN_MS: '0',
    TRUST_PROXY: '10.0.0.0/8, 192.168.1.7,fd00::/8',
    RATE_LIMIT_PER_SECOND: '5',
    INTAKE_LIMIT_PER_SECOND: '7',
    ALLOWED_ORIGINS: 'https://console.example, https://wall.example:8443',
    HUB_CONNECTIONS: '50000',
    HUB_CONNECTIONS_PER_CALLER: '20',
    NATS_URL: 'nats://one.example:4222, nats://two.example:4222',
    NATS_CREDENTIALS_FILE: file('nats.creds', `${natsCredentials}\n`),
    NATS_CA_FILE: file('nats.pem', `${natsCa}\n`),
    NODE_ADDRESS: 'https://10.0.0.7:8080',
    NODE_CA_FILE: '/etc/tocsin/nodes.pem',
    ROLES: 'hub, dispatch',
    PUBLIC_URL: 'https://alarms.example',
    HEARTBEAT_URL: 'https://watch.example/ping',
    ...traceVariables,
    RETENTION_MONTHS: '24',
    SESSION_HOURS: '12',
    AUDIT_RETENTION_MONTHS: '120',
    AUDIT_HEADS_FILE: '/var/log/tocsin/audit-heads',
    AUDIT_SYSLOG: 'syslog.example:6514',
    AUDIT_SYSLOG_CA_FILE: file('ca.pem', `${certificate}\n`),
    SECURITY_CONTACT: 'mailto:security@plant.example, https://plant.example/report',
    SECURITY_POLICY_URL: 'https://plant.example/security',
    SECURITY_LANGUAGES: 'fr, en',
    EGRESS_ALLOW_FILE: file('egress', '10.20.0.0/16\n\n# Valmont, the brewery\n2=192.168.7.9:25,587\n'),
    SECRETS_KEY_FILE: file('secrets.key', `${secretsKey}\n`),
    STATE_FOLDER: '/var/lib/tocsin',
    COMMANDS_FILE: '/etc/tocsin/commands.json',
    SMS_MODEM_DIRECTORY: '/var/spool/tocsin-sms',
    CALL_FOLDER: '/run/tocsin/calls',
    SIP_PORTS: '20000-20799',
    SPEECH_PROFILES: 'fr:own,espeak-ng',
    SPEECH_PROGRAMS_FILE: file('programs.json', JSON.stringify(programs)),
    SPEECH_DIRECTORY: '/var/cache/tocsin',
    SPEECH_CACHE_MEGABYTES: '50',
    FIRST_ADMIN_USERNAME: 'admin',
    FIRST_ADMIN_PASSWORD_FILE: file('password', 'correct horse battery\n'),
    OIDC_ISSUERS_FILE: file('issuers.json', JSON.stringify(issuers)),
  });
  expect(config).toEqual({
    databaseUrl,
    migrateDatabaseUrl: 'postgresql://owner@localhost/tocsin',
    backupDatabaseUrl: 'postgresql://backup@localhost/tocsin',
    autoMigrate: false,
    allowSuperuserLogin: true,
    databaseConnections: 40,
    alarmConnections: 8,
    configurationCacheMb: 64,
    host: '0.0.0.0',
    port: 0,
    tlsCertFile: '/etc/tocsin/server.pem',
    tlsKeyFile: '/etc/tocsin/server.key',
    tlsClientCaFile: '/etc/tocsin/devices.pem',
    basePath: '/plants/alertws',
    console: 'off',
    adminHost: '0.0.0.0',
    adminPort: 0,
    logLevel: 'debug',
    drainMs: 0,
    trustProxy: ['10.0.0.0/8', '192.168.1.7', 'fd00::/8'],
    rateLimitPerSecond: 5,
    intakeLimitPerSecond: 7,
    allowedOrigins: ['https://console.example', 'https://wall.example:8443'],
    hubConnections: 50_000,
    hubConnectionsPerCaller: 20,
    natsUrl: 'nats://one.example:4222, nats://two.example:4222',
    natsCredentials,
    natsCa,
    nodeAddress: 'https://10.0.0.7:8080',
    nodeCaFile: '/etc/tocsin/nodes.pem',
    roles: ['hub', 'dispatch'],
    publicUrl: 'https://alarms.example',
    heartbeatUrl: 'https://watch.example/ping',
    ...tracedSettings,
    retentionMonths: 24,
    sessionHours: 12,
    auditRetentionMonths: 120,
    auditHeadsFile: '/var/log/tocsin/audit-heads',
    auditSyslog: 'syslog.example:6514',
    auditSyslogCa: certificate,
    securityContact: ['mailto:security@plant.example', 'https://plant.example/report'],
    securityPolicyUrl: 'https://plant.example/security',
    securityLanguages: ['fr', 'en'],
    egressAllow: ['10.20.0.0/16', '2=192.168.7.9:25', '587'],
    secretsKey,
    stateFolder: '/var/lib/tocsin',
    commandsFile: '/etc/tocsin/commands.json',
    smsModemDirectory: '/var/spool/tocsin-sms',
    callFolder: '/run/tocsin/calls',
    sipPorts: '20000-20799',
    speechProfiles: ['fr:own', 'espeak-ng'],
    speechPrograms: programs,
    speechDirectory: '/var/cache/tocsin',
    speechCacheMegabytes: 50,
    firstAdminUsername: 'admin',
    firstAdminPassword: 'correct horse battery',
    oidcIssuers: issuers,
  });
  expect(Object.keys(config).toSorted(), 'this test covers all settings').toEqual(
    Object.keys(Settings.properties).toSorted(),
  );
});

describe('NATS is not used without credentials, except on the same machine', () => {
  test.for([
    'nats://bus.example:4222',
    'tls://10.0.0.9:4222',
    'nats://127.0.0.1:4222, nats://[fd00::1]:4222',
    'nats://localhost.example:4222',
    'nats://127.example:4222',
  ])('%s is refused, and the message says what to do', (url) => {
    const [fault, ...others] = faultsWith({ NATS_URL: url });
    expect(fault).toMatch(/without credentials.*NATS_URL=tls:\/\/user:password@host.*NATS_CREDENTIALS_FILE/);
    expect(others).toEqual([]);
  });

  test.for([
    'nats://127.0.0.1:4222',
    'nats://[::1]:4222',
    'nats://localhost',
    'tls://tocsin:secret@bus.example:4222',
    'nats://token@one.example,nats://two.example',
  ])('%s is accepted', (url) => {
    expect(read({ NATS_URL: url }).natsUrl).toBe(url);
  });

  test('a user in the URL and a credentials file are refused together', () => {
    const path = file('user.creds', natsCredentials);
    expect(faultsWith({ NATS_URL: 'nats://one:secret@bus.example', NATS_CREDENTIALS_FILE: path })).toEqual([
      expect.stringContaining('keep one of them'),
    ]);
    expect(read({ NATS_URL: 'nats://bus.example', NATS_CREDENTIALS_FILE: path })).toMatchObject({
      natsCredentials,
    });
  });
});

test('an empty variable counts as absent', () => {
  expect(read({ PORT: '', BASE_PATH: '', TRUST_PROXY: '', OIDC_ISSUERS_FILE: '' })).toEqual(read());
});

test.for([
  'postgres://app@one.example:5432,two.example:5432/tocsin',
  'postgres://app@one.example/tocsin?target_session_attrs=read-write',
  'postgres://app@/tocsin?host=one.example,two.example',
])('a URL that names several servers is refused: %s', (url) => {
  expect(faultsOf({ DATABASE_URL: url })).toEqual([expect.stringContaining('with one host')]);
});

test('a password may have a comma', () => {
  const url = 'postgres://app:a,b@one.example:5432/tocsin?sslmode=require';
  expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
});

test('the URL of the database may be in a file, but not in the variable and the file', () => {
  const path = file('url', `${databaseUrl}\r\n`);
  expect(readConfig({ DATABASE_URL_FILE: path }).databaseUrl).toBe(databaseUrl);
  expect(faultsWith({ DATABASE_URL_FILE: path })).toEqual([
    'DATABASE_URL and DATABASE_URL_FILE are both set: unset one of them',
  ]);
});

describe('a wrong value is refused with the name of its variable and the expected value', () => {
  const wholeNumber = /must be a whole number from \d+ to \d+$/;
  test.for<[variable: string, value: string, message: RegExp]>([
    ['MIGRATE_DATABASE_URL', 'mysql://x', /must be a URL such as postgres:/],
    ['AUTO_MIGRATE', 'yes', /must be true or false$/],
    ['DATABASE_CONNECTIONS', '1', wholeNumber],
    ['PORT', '65536', wholeNumber],
    ['PORT', '80a', wholeNumber],
    ['PORT', '-1', wholeNumber],
    ['PORT', '1e3', wholeNumber],
    ['ADMIN_PORT', '70000', wholeNumber],
    ['DRAIN_MS', '15001', wholeNumber],
    ['RATE_LIMIT_PER_SECOND', '0', wholeNumber],
    ['INTAKE_LIMIT_PER_SECOND', '0', wholeNumber],
    ['BASE_PATH', 'alertws', /must be empty, or a path that starts with \//],
    ['BASE_PATH', '/alertws/', /must be empty, or a path that starts with \//],
    ['BASE_PATH', '/', /must be empty, or a path that starts with \//],
    ['LOG_LEVEL', 'loud', /must be one of fatal, error, warn, info, debug, trace, silent$/],
    ...[
      'plant.example',
      '10.0.0.0/33',
      '10.0.0.1:0',
      '10.0.0.1:65536',
      '10.0.0.1:smtp',
      '10.0.0.1:',
      '10.0.0.1:25,*',
      '10.0.0.1,587',
      '587',
      '0=10.0.0.1',
      'acme=10.0.0.1',
      '2=3=10.0.0.1',
      '[fd00::/32',
      'fd00::/32:25',
    ].map((rule): [string, string, RegExp] => ['EGRESS_ALLOW', rule, /must be IP addresses or CIDR ranges/]),
    ['COMMANDS_FILE', 'commands.json', /must be the full path of a file/],
    ['AUDIT_RETENTION_MONTHS', '11', /must be 0, or a whole number from 12 to 1200$/],
    ['AUDIT_SYSLOG', 'https://syslog.example', /must be a host name with an optional port/],
    ['TRUST_PROXY', 'true', /must be IP addresses or CIDR ranges/],
    ['TRUST_PROXY', 'loopback', /must be IP addresses or CIDR ranges/],
    ['TRUST_PROXY', '10.0.0.0/33', /must be IP addresses or CIDR ranges/],
    ['TRUST_PROXY', '10.0.0.1,', /must be IP addresses or CIDR ranges/],
    ['TRUST_PROXY', 'fd00::/129', /must be IP addresses or CIDR ranges/],
  ])('%s=%s', ([variable, value, message]) => {
    const faults = faultsWith({ [variable]: value });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(message);
    expect(faults[0]?.startsWith(variable)).toBe(true);
  });

  test.for<[variable: string, content: string, message: RegExp]>([
    ['FIRST_ADMIN_PASSWORD_FILE', 'short', /must be a password of 12 to 1024 characters$/],
    ['FIRST_ADMIN_PASSWORD_FILE', '', /must be a password of 12 to 1024 characters$/],
    ['OIDC_ISSUERS_FILE', 'not json', /must be a JSON list/],
    ['OIDC_ISSUERS_FILE', '[{"issuer":"https://id.example"}]', /must be a JSON list/],
    ['OIDC_ISSUERS_FILE', '[{"issuer":"id.example","audience":"a"}]', /must be a JSON list/],
  ])('%s with %s', ([variable, content, message]) => {
    const faults = faultsWith({ FIRST_ADMIN_USERNAME: 'admin', [variable]: file('content', content) });
    expect(faults[0]).toMatch(message);
    expect(faults[0]?.startsWith(variable)).toBe(true);
  });
});

test('all faults are reported at once', () => {
  expect(faultsOf({ PORT: 'x', LOG_LEVEL: 'y' }).map((fault) => fault.split(' ')[0])).toEqual([
    'DATABASE_URL',
    'PORT',
    'LOG_LEVEL',
  ]);
});

test('a password in a refused URL is not repeated', () => {
  const [fault] = faultsOf({ DATABASE_URL: 'http://tocsin:hunter2@localhost' });
  expect(fault).toMatch(/^DATABASE_URL must be/);
  expect(fault).not.toContain('hunter2');
});

test('a missing file is named', () => {
  const [fault] = faultsWith({ FIRST_ADMIN_USERNAME: 'a', FIRST_ADMIN_PASSWORD_FILE: join(folder, 'gone') });
  expect(fault).toMatch(/^FIRST_ADMIN_PASSWORD_FILE names a file that cannot be read: .*gone/);
});

test('the first administrator needs a name and a password', () => {
  const faults = ['FIRST_ADMIN_USERNAME and FIRST_ADMIN_PASSWORD_FILE go together: set both or neither'];
  expect(faultsWith({ FIRST_ADMIN_USERNAME: 'admin' })).toEqual(faults);
  expect(faultsWith({ FIRST_ADMIN_PASSWORD_FILE: file('p', 'correct horse battery') })).toEqual(faults);
});
