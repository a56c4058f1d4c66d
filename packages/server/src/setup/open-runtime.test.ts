import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createTenant } from '../people/create-tenant.ts';
import { readConfig } from '../settings/config.ts';
import { migrateDatabase, openRuntime } from './open-runtime.ts';

const silent = pino({ level: 'silent' });
const script = fileURLToPath(new URL('../../../../create-database.sh', import.meta.url));

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** A database created as documented, and the URLs of its owner and its server. */
async function createDatabase(): Promise<{ ownerUrl: string; serverUrl: string; name: string }> {
  const clusterUrl = inject('clusterUrl');
  const { hostname, port, username } = new URL(clusterUrl);
  const name = `made_${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-made-'));
  const admin = { PGHOST: hostname, PGPORT: port, PGUSER: username, PATH: process.env['PATH'] ?? '' };
  await promisify(execFile)('sh', [script, name], { env: { ...admin, STATE_FOLDER: folder } });
  onTestFinished(async () => {
    rmSync(folder, { recursive: true });
    await query(clusterUrl, `drop database ${name} with (force)`);
    await query(clusterUrl, `drop role ${name}_owner, ${name}_server`);
  });
  const urlOf = (file: string) => {
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    return readFileSync(join(folder, file), 'utf8').trim();
  };
  return { ownerUrl: urlOf('owner-url'), serverUrl: urlOf('server-url'), name };
}

const configOf = (url: string) => readConfig({ DATABASE_URL: url });

test('one role migrates and another serves; neither is a superuser, and the server cannot change the tables', {
  timeout: 60_000,
}, async () => {
  const { ownerUrl, serverUrl, name } = await createDatabase();
  await expect(migrateDatabase(configOf(serverUrl), silent), 'before there are any tables').rejects.toThrow(
    /permission denied for schema public\. Run the `migrate` command as the owner/,
  );
  const asSuperuser = inject('clusterUrl').replace(/\/postgres$/, `/${name}`);
  await expect(migrateDatabase(configOf(asSuperuser), silent)).rejects.toThrow(
    /postgres is a superuser, and would own the tables/,
  );

  await migrateDatabase(configOf(ownerUrl), silent);
  await migrateDatabase(configOf(serverUrl), silent);
  const runtime = await openRuntime(configOf(serverUrl), silent);
  expect(await createTenant(runtime, { name: 'Valmont Water' })).toBe(1);
  await runtime.database.close();

  const owners = await query(
    asSuperuser,
    `select distinct o.rolname as name, o.rolsuper or o.rolbypassrls as is_privileged from pg_roles o join (
       select relowner as owner from pg_class where relnamespace = 'public'::regnamespace
       union select proowner from pg_proc where pronamespace = 'public'::regnamespace) x on x.owner = o.oid order by 1`,
  );
  expect(owners).toEqual([
    { name: `${name}_owner`, is_privileged: false },
    { name: 'tocsin_cross_tenant', is_privileged: false },
  ]);
  for (const statement of [
    'drop table journal',
    'create table mine (id integer)',
    'set role tocsin_cross_tenant',
    `set role ${name}_owner`,
    "copy (select 1) to program 'true'",
  ])
    await expect(query(serverUrl, statement), statement).rejects.toMatchObject({ code: '42501' });
});

test('the server role of one database cannot connect to another of the same cluster', async () => {
  const one = await createDatabase();
  const other = await createDatabase();
  const elsewhere = one.serverUrl.replace(/[^/]*$/, other.name);
  await expect(query(elsewhere, 'select 1')).rejects.toMatchObject({ code: '42501' });
  expect(await query(one.serverUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a server that owns the tables, or whose database is open to all roles, logs a warning', {
  timeout: 60_000,
}, async () => {
  const { ownerUrl, serverUrl, name } = await createDatabase();
  await migrateDatabase(configOf(ownerUrl), silent);
  const warningsOf = async (url: string) => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    await (await openRuntime(configOf(url), log)).database.close();
    return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  };
  expect(await warningsOf(serverUrl)).toEqual([]);
  expect(await warningsOf(ownerUrl)).toEqual([
    expect.stringContaining(`${name}_owner can change the tables`),
  ]);
  await query(ownerUrl, `grant connect on database ${name} to public`);
  expect(await warningsOf(serverUrl)).toEqual([
    expect.stringContaining('every role of the cluster may connect'),
  ]);
});
