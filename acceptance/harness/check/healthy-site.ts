import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Authority, makeAuthority, migrate } from '@tocsin/server/testing';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { freePort, type PostgresCluster, startCluster } from '../../../tools/postgres-cluster.ts';
import { startNats } from '../hub/nats.ts';
import { logIn } from '../installation.ts';
import { create } from '../plant.ts';
import { startServer } from '../server.ts';

/** A complete installation in which nothing is wrong: PostgreSQL, NATS, certificates, and a tenant with people. */
export type HealthySite = {
  readonly environment: Readonly<Record<string, string>>;
  readonly authority: Authority;
  readonly natsPort: number;
  /** URL of a database for the login of the server, or for another login. */
  url(database: string, login?: string): string;
  /** Runs a statement as a superuser. */
  sql(statement: string, database?: string): Promise<void>;
  /** A copy of the database, changed by the statements of a superuser; the setting that names it. */
  copy(...statements: string[]): Promise<{ DATABASE_URL: string }>;
  /** A copy from before there was a tenant. */
  copyEmpty(): Promise<{ DATABASE_URL: string }>;
  /** Changes a setting of the whole PostgreSQL until the end of the test. */
  setting(name: string, value: string): Promise<void>;
  /** Writes a file, by default a private one, and returns its path. */
  file(name: string, content: string, mode?: number): Promise<string>;
  /** The next transaction of PostgreSQL: it moves on with each one that writes. */
  nextTransaction(): Promise<string>;
  close(): Promise<void>;
};

const name = 'checked';
const server = `${name}_server`;
const empty = `${name}_empty`;

export async function openHealthySite(): Promise<HealthySite> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-check-'));
  // Vacuum writes transactions of its own.
  const cluster = await startCluster({ durable: true, settings: ['autovacuum=off'] });
  const query = createQuery(cluster);
  const sql = async (statement: string, database?: string) => void (await query(statement, database));
  const { ownerUrl, serverUrl } = await createAsDocumented(cluster, folder);
  await requirePassword(cluster, sql);
  await migrate(ownerUrl, { allowSuperuser: false });
  const copyTo = createCopier(sql);
  await copyTo(empty, name);
  const file = fileWriter(folder);
  const secretsKeyFile = await file('secrets-key', Buffer.alloc(32, 9).toString('base64'));
  await addPeople(serverUrl, secretsKeyFile);

  const authority = await makeAuthority('Check', folder);
  const nats = await startNats({ name: 'tocsin', password: 'bus-secret' });
  const certificate = await authority.issue('server', ['DNS:alarms.example'], 90);
  const stateFolder = join(folder, 'state');
  await mkdir(stateFolder, { mode: 0o700 });
  const url = (database: string, login?: string) => {
    const changed = new URL(serverUrl.replace(/[^/]*$/, database));
    if (login !== undefined) [changed.username, changed.password] = [login, ''];
    return changed.href;
  };
  const temporary = async (template: string, statements: string[]) => {
    const copied = `copy_${crypto.randomUUID().replaceAll('-', '')}`;
    await copyTo(copied, template);
    onTestFinished(() => sql(`drop database ${copied} with (force)`));
    for (const statement of statements) await sql(statement, copied);
    return { DATABASE_URL: url(copied) };
  };
  return {
    environment: {
      DATABASE_URL: serverUrl,
      PORT: String(await freePort()),
      ADMIN_PORT: String(await freePort()),
      PUBLIC_URL: 'https://alarms.example',
      TLS_CERT_FILE: certificate.certFile,
      TLS_KEY_FILE: certificate.keyFile,
      NATS_URL: nats.url,
      SECRETS_KEY_FILE: secretsKeyFile,
      STATE_FOLDER: stateFolder,
      HUB_CONNECTIONS: '100',
    },
    authority,
    natsPort: nats.port,
    url,
    sql,
    copy: (...statements) => temporary(name, statements),
    copyEmpty: () => temporary(empty, []),
    setting: async (setting, value) => {
      const reload = () => sql('select pg_reload_conf()');
      await sql(`alter system set ${setting} = ${value}`);
      await reload();
      onTestFinished(async () => {
        await sql(`alter system reset ${setting}`);
        await reload();
      });
    },
    file,
    nextTransaction: async () => {
      const [row] = await query('select pg_snapshot_xmax(pg_current_snapshot())::text as next');
      return String(row?.['next']);
    },
    close: async () => {
      await nats.stop();
      await cluster.stop();
      await rm(folder, { recursive: true });
    },
  };
}

function createQuery(cluster: PostgresCluster) {
  return async (statement: string, database?: string): Promise<Record<string, unknown>[]> => {
    // Triggers of the tables ask which tenant it is.
    const client = new pg.Client({ connectionString: cluster.url(database), options: '-c tocsin.tenant=1' });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows;
    } finally {
      await client.end();
    }
  };
}

/** Creates the database and its roles with the script of the project. */
async function createAsDocumented(cluster: PostgresCluster, folder: string) {
  const script = fileURLToPath(new URL('../../../create-database.sh', import.meta.url));
  const admin = { PGHOST: '127.0.0.1', PGPORT: String(cluster.port), PGUSER: 'postgres' };
  const env = { ...admin, PATH: process.env['PATH'] ?? '', STATE_FOLDER: folder };
  await promisify(execFile)('sh', [script, name], { env });
  const read = async (file: string) => (await readFile(join(folder, file), 'utf8')).trim();
  return { ownerUrl: await read('owner-url'), serverUrl: await read('server-url') };
}

/** The cluster of the tests asks nobody for a password, but a plant does. */
async function requirePassword(cluster: PostgresCluster, sql: HealthySite['sql']): Promise<void> {
  const file = join(cluster.folder, 'data', 'pg_hba.conf');
  const rule = `host all ${server} 127.0.0.1/32 scram-sha-256\n`;
  await writeFile(file, rule + (await readFile(file, 'utf8')));
  await sql('select pg_reload_conf()');
}

/** A copy has the tables and rows, but not the rights to connect. */
function createCopier(sql: HealthySite['sql']) {
  return async (copied: string, template: string) => {
    await sql(`create database ${copied} template ${template} owner ${name}_owner`);
    await sql(`revoke all on database ${copied} from public`);
    await sql(`grant connect on database ${copied} to ${server}`);
  };
}

function fileWriter(folder: string): HealthySite['file'] {
  return async (file, content, mode = 0o600) => {
    const path = join(folder, `${crypto.randomUUID()}-${file}`);
    await writeFile(path, content, { mode });
    // Whatever the umask is.
    await chmod(path, mode);
    return path;
  };
}

/** Creates, over the interface, a person who can be called, their call group, and the channel to call them. */
async function addPeople(databaseUrl: string, secretsKeyFile: string): Promise<void> {
  const environment = { ALLOW_SUPERUSER_LOGIN: 'false', ROLES: 'api', SECRETS_KEY_FILE: secretsKeyFile };
  const running = await startServer({ databaseUrl, environment: { ...environment, DRAIN_MS: '0' } });
  const client = await logIn(running);
  const media = [{ kind: 'Webhook', address: 'http://127.0.0.1:9/anna' }];
  const anna = await create(client, 'users', { username: 'anna', name: 'Anna', role: 'operator', media });
  await create(client, 'callgroups', { name: 'Night shift', userIds: [anna] });
  const secret = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
  await create(client, 'channels', { name: 'Hooks', kind: 'webhook', settings: { secret } });
  client.close();
  await running.stop();
}
