import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect } from 'vitest';
import { stationStore } from '../plant/station.store.ts';
import { readTenant } from '../postgres/tenant-transaction.ts';
import { readConfig } from '../settings/config.ts';
import { test } from '../testing/plant.fixture.ts';
import { addTenant } from './add-tenant.ts';

const folder = mkdtempSync(join(tmpdir(), 'tocsin-tenant-'));
afterAll(() => rmSync(folder, { recursive: true }));
const passwordFile = join(folder, 'password');
writeFileSync(passwordFile, 'correct horse battery\n');
const admin = ['--admin', 'ada', '--password-file', passwordFile];

test('a provider adds a customer with a station and an administrator', async ({ runtime }) => {
  const config = readConfig({
    DATABASE_URL: runtime.database.pool.options.connectionString,
    ALLOW_SUPERUSER_LOGIN: 'true',
  });
  const args = ['Brume Wind', ...admin, '--station', 'Ridge', '--time-zone', 'Europe/Lisbon'];
  const tenantId = await addTenant(config, runtime.log, args);
  expect(tenantId).toBe(2);
  const { rows } = await readTenant(runtime.database, tenantId, (transaction) =>
    stationStore.list(transaction, { stationIds: undefined }, { offset: 0, limit: 10, descending: false }),
  );
  expect(rows).toMatchObject([{ name: 'Ridge', timeZone: 'Europe/Lisbon' }]);
});

test('missing and wrong arguments are reported before anything is created', async ({ runtime }) => {
  const config = readConfig({
    DATABASE_URL: runtime.database.pool.options.connectionString,
    ALLOW_SUPERUSER_LOGIN: 'true',
  });
  const add = (...args: string[]) => addTenant(config, runtime.log, args);
  await expect(add(...admin)).rejects.toThrow(/Name one tenant/);
  await expect(add('A', 'B', ...admin)).rejects.toThrow(/Name one tenant/);
  await expect(add('A')).rejects.toThrow(/needs an administrator/);
  await expect(add('A', ...admin, '--time-zone', 'Mars/Olympus')).rejects.toThrow(/not an IANA time zone/);
  await expect(add('A', '--admin', 'ada', '--password-file', join(folder, 'gone'))).rejects.toThrow(/ENOENT/);
  await expect(add('A', ...admin, '--number', '0')).rejects.toThrow(/whole number from 1/);
  await expect(add('A', ...admin, '--colour', 'red')).rejects.toThrow(/Unknown option/);
});

test('a provider with several cells chooses the number of a customer, and no number twice', async ({
  runtime,
}) => {
  const config = readConfig({
    DATABASE_URL: runtime.database.pool.options.connectionString,
    ALLOW_SUPERUSER_LOGIN: 'true',
  });
  const add = (...args: string[]) => addTenant(config, runtime.log, ['Brume Wind', ...admin, ...args]);
  expect(await add('--number', '2000001')).toBe(2_000_001);
  expect(await add()).toBe(2_000_002);
  await expect(add('--number', '2000001')).rejects.toThrow(/choose another one/);
  const owner = new pg.Client({ connectionString: config.databaseUrl });
  await owner.connect();
  await owner.query(`insert into moved_tenants values (77, 'moved', now())`);
  await owner.end();
  await expect(add('--number', '77')).rejects.toThrow(/choose another one/);
});
