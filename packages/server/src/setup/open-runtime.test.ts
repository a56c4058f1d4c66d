import { pino } from 'pino';
import { expect, inject, test } from 'vitest';
import { createTenant } from '../people/create-tenant.ts';
import { readConfig } from '../settings/config.ts';
import { createDatabase, query } from '../testing/made-database.fixture.ts';
import { migrateDatabase, openRuntime } from './open-runtime.ts';

const silent = pino({ level: 'silent' });

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
