import { appendFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, inject, onTestFinished, test } from 'vitest';
import { writePast } from '../../history/testing/occurrences.fixture.ts';
import { createTenant } from '../../people/create-tenant.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { type Config, readConfig } from '../../settings/config.ts';
import { createDatabase, query } from '../../testing/made-database.fixture.ts';
import { migrateDatabase, openRuntime } from '../open-runtime.ts';
import { backUp, reportBackup } from './backup.ts';
import { manifestFile } from './manifest.ts';
import { connectionOf, findProgram } from './postgres-programs.ts';
import { reportRestore, restore } from './restore.ts';

const silent = pino({ level: 'silent' });

/** An empty database with the logins of a plant, and one for backups. */
async function openSite(folder: string) {
  const { ownerUrl, serverUrl, name } = await createDatabase();
  const keyFile = join(folder, `key-${name}`);
  await writeFile(keyFile, Buffer.alloc(32, 1).toString('base64'), { mode: 0o600 });
  const clusterUrl = inject('clusterUrl');
  const role = `${name}_backup`;
  await query(clusterUrl, `create role ${role} login bypassrls password 'p/w' in role pg_read_all_data`);
  await query(clusterUrl, `grant connect on database ${name} to ${role}`);
  const dropRole = `revoke connect on database ${name} from ${role}; drop role ${role}`;
  onTestFinished(async () => void (await query(clusterUrl, dropRole)));
  const backup = new URL(clusterUrl);
  backup.pathname = name;
  backup.username = role;
  backup.password = 'p%2Fw';
  const environment = {
    DATABASE_URL: serverUrl,
    MIGRATE_DATABASE_URL: ownerUrl,
    BACKUP_DATABASE_URL: backup.href,
    SECRETS_KEY_FILE: keyFile,
    STATE_FOLDER: folder,
  };
  return {
    config: readConfig(environment),
    blind: readConfig({ ...environment, BACKUP_DATABASE_URL: ownerUrl }),
  };
}

async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Two tenants with a past. */
async function fillPlant(config: Config): Promise<void> {
  await migrateDatabase(config, silent);
  const runtime = await openRuntime(config, silent);
  for (const name of ['Valmont Water', 'Brume Wind']) {
    const tenantId = await createTenant(runtime, { name });
    await inTenant(runtime.database, tenantId, (transaction) =>
      writePast(transaction, {
        tags: [{ id: 1, name: 'Rotor' }],
        tagGroups: [{ id: 1 }],
        occurrences: [1, 2, 3].map((id) => ({ id, tagId: 1, tagGroupId: 1, raised: transaction.now })),
      }),
    );
  }
  await runtime.database.close();
}

const count = async (config: Config, table: string) => {
  const [row] = await query(config.backupDatabaseUrl ?? '', `select count(*)::integer as rows from ${table}`);
  return row?.['rows'];
};

test('a plant is restored from a backup into an empty database, with the logins of a plant', async () => {
  const folder = await openFolder();
  const [here, there] = [await openSite(folder), await openSite(folder)];
  await fillPlant(here.config);
  const file = join(folder, 'tocsin.dump');
  const report = reportBackup(await backUp(here.config, [file], process.env));
  expect(report).toMatch(/holds \d+ rows of 2 tenants/);
  expect(report).toContain('The secrets key is not in it');
  for (const path of [file, manifestFile(file)]) expect(statSync(path).mode & 0o777).toBe(0o600);

  const restored = await restore(there.config, silent, [file], process.env);
  expect(reportRestore(restored)).toMatch(/rows of 2 tenants restored as of 20/);
  expect(restored.tenants.map(({ name }) => name)).toEqual(['Valmont Water', 'Brume Wind']);
  expect(await count(there.config, 'occurrences')).toBe(6);
  const [entry] = await query(
    there.config.backupDatabaseUrl ?? '',
    `select count(*)::integer as restores from audit_entries where action = 'database.restore'`,
  );
  expect(entry).toEqual({ restores: 2 });
  // The server finds everything it needs, functions across tenants included.
  const runtime = await openRuntime(there.config, silent);
  expect(await createTenant(runtime, { name: 'Third' })).toBe(3);
  await runtime.database.close();
}, 180_000);

test('a database that is not empty is replaced on request only, and stays if the restore fails', async () => {
  const folder = await openFolder();
  const { config } = await openSite(folder);
  await fillPlant(config);
  const file = join(folder, 'tocsin.dump');
  await backUp(config, [file], process.env);
  const runtime = await openRuntime(config, silent);
  await createTenant(runtime, { name: 'Later' });
  await expect(restore(config, silent, [file], process.env)).rejects.toThrow('The database is not empty');
  await expect(restore(config, silent, [file, '--replace'], process.env)).rejects.toThrow(
    'Stop all servers first',
  );
  await runtime.database.close();

  // The manifest promises more than the dump holds: the former content comes back.
  const text = readFileSync(manifestFile(file), 'utf8');
  writeFileSync(manifestFile(file), text.replace(/"rows": \d+/, '"rows": 100000'));
  const replace = () => restore(config, silent, [file, '--replace'], process.env);
  await expect.poll(() => replace().catch(String)).toMatch(/not 100000/);
  expect(await count(config, 'tenants')).toBe(3);
  writeFileSync(manifestFile(file), text);
  await replace();
  expect(await count(config, 'tenants')).toBe(2);
}, 180_000);

test('a backup that cannot be used is refused before anything is touched', async () => {
  const folder = await openFolder();
  const { config, blind } = await openSite(folder);
  await fillPlant(config);
  const file = join(folder, 'tocsin.dump');
  await expect(backUp(blind, [file], process.env)).rejects.toThrow(
    /does not see the rows of all tenants[\s\S]*bypassrls/,
  );
  expect(existsSync(file)).toBe(false);
  await backUp(config, [file], process.env);
  await expect(backUp(config, [file], process.env)).rejects.toThrow('exists already');
  const text = readFileSync(manifestFile(file), 'utf8');
  const refused = (message: string, ...args: string[]) =>
    expect(restore(config, silent, args, process.env)).rejects.toThrow(message);

  writeFileSync(manifestFile(file), text.replace(/"migration": "[^"]*"/, '"migration": "9999_future.sql"'));
  await refused('of a newer release', file);
  writeFileSync(manifestFile(file), '{"format":"other"}');
  await refused('not the manifest of a backup', file);
  writeFileSync(manifestFile(file), text);
  appendFileSync(file, 'x');
  await refused('is not whole', file);
  truncateSync(file, statSync(file).size - 2);
  appendFileSync(file, 'x');
  await refused('was changed', file);
  truncateSync(file, 1_000);
  await refused('is not whole', file);
  await refused('There is no manifest', join(folder, 'other.dump'));
  await refused('Name one file');
  expect(await count(config, 'tenants')).toBe(2);
}, 180_000);

test('a missing program is named with its package', () => {
  expect(() => findProgram('pg_dump', ['/nowhere'])).toThrow('apt-get install postgresql-client');
});

test('programs get the password in their environment, not on their command line', () => {
  expect(
    connectionOf('postgres://anna:s%2Fecret@db:5000/tocsin?sslmode=require&uselibpqcompat=true'),
  ).toEqual({
    url: 'postgres://anna@db:5000/tocsin?sslmode=require',
    secrets: { PGPASSWORD: 's/ecret' },
  });
});
