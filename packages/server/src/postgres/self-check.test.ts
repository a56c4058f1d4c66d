import pg from 'pg';
import { expect, inject } from 'vitest';
import { cloneDatabase, test } from '../testing/plant.fixture.ts';
import { openDatabase } from './database.ts';
import { selfCheck } from './self-check.ts';

async function run(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

async function check(url: string, allowSuperuserLogin = true): Promise<string[]> {
  const database = openDatabase({ url, connections: 2 });
  const faults = await selfCheck(database, { allowSuperuserLogin });
  await database.close();
  return faults;
}

/** Creates a role that can log in, and a new database; the URL logs in as that role. */
async function loginRole({ attributes = '' } = {}) {
  const { url, drop } = await cloneDatabase();
  const role = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  await run(url, `create role ${role} login ${attributes}`);
  return {
    role,
    ownerUrl: url,
    url: url.replace('//postgres@', `//${role}@`),
    remove: async () => {
      await drop();
      await run(inject('clusterUrl'), `drop role ${role}`);
    },
  };
}

test('the server runs as a role that is subject to row-level security, whatever role the URL logs in as', async ({
  runtime,
}) => {
  expect(await selfCheck(runtime.database, { allowSuperuserLogin: true })).toEqual([]);
});

test('a superuser, a role that bypasses row-level security and an owner of tables are refused', async () => {
  const { url, drop } = await cloneDatabase();
  expect(await check(`${url}?options=-c%20timezone%3DUTC`)).toEqual([
    expect.stringMatching(
      /^The server would run as postgres, a superuser: remove `options` from DATABASE_URL/,
    ),
  ]);
  await drop();

  const bypassing = await loginRole({ attributes: 'bypassrls' });
  expect(await check(`${bypassing.url}?options=-c%20timezone%3DUTC`)).toEqual([
    expect.stringContaining('which bypasses row-level security'),
  ]);
  await bypassing.remove();

  const owning = await loginRole();
  await run(owning.ownerUrl, `alter table stations owner to ${owning.role}`);
  expect(await check(`${owning.url}?options=-c%20timezone%3DUTC`)).toEqual([
    expect.stringContaining('which owns the tables'),
  ]);
  await owning.remove();
});

test('a role with the rights of tocsin_app is refused', async () => {
  const { url, ownerUrl, role, remove } = await loginRole();
  await run(ownerUrl, `grant tocsin_app to ${role}`);
  expect(await check(`${url}?options=-c%20timezone%3DUTC`)).toEqual([
    expect.stringContaining(`The server would run as ${role} instead of tocsin_app: remove`),
  ]);
  await remove();
});

test('the fault for a role that may not become tocsin_app names the missing grant', async () => {
  const { url, ownerUrl, role, remove } = await loginRole();
  expect(await check(url)).toEqual([expect.stringContaining('run `grant tocsin_app to <user>`')]);
  await run(ownerUrl, `grant tocsin_app to ${role}`);
  expect(await check(url)).toEqual([]);
  await remove();
});

test('pending migrations are named, with the command to run', async () => {
  const { url, drop } = await cloneDatabase();
  await run(url, "delete from migrations where name like '0002%'");
  expect(await check(url)).toEqual([
    'The database lacks 0002_plant.sql: run the `migrate` command, or start with AUTO_MIGRATE=true',
  ]);
  await run(url, 'drop table migrations');
  expect(await check(url)).toEqual([expect.stringContaining('The database is empty')]);
  await drop();
});

test('a database that cannot be reached is reported', async () => {
  expect(await check('postgres://nobody@127.0.0.1:1/nothing')).toEqual([
    expect.stringMatching(/^The database of DATABASE_URL cannot be reached: .*ECONNREFUSED/),
  ]);
});

test('a login as a superuser, or as a role that bypasses row-level security, is refused', async () => {
  const { url, drop } = await cloneDatabase();
  expect(await check(url, false)).toEqual([
    expect.stringMatching(
      /^The server would log in as postgres, a superuser: log in as a role that may become/,
    ),
    expect.stringMatching(/^Functions of the database run as postgres, a superuser/),
  ]);
  await drop();

  const bypassing = await loginRole({ attributes: 'bypassrls' });
  await run(bypassing.ownerUrl, `grant tocsin_app to ${bypassing.role}`);
  expect(await check(bypassing.url, false)).toContainEqual(
    expect.stringContaining(
      `The server would log in as ${bypassing.role}, which bypasses row-level security`,
    ),
  );
  await bypassing.remove();
});
