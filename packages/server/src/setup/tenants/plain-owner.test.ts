import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { writePast } from '../../history/testing/occurrences.fixture.ts';
import { createTenant } from '../../people/create-tenant.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { type Config, readConfig } from '../../settings/config.ts';
import { createDatabase } from '../../testing/made-database.fixture.ts';
import { migrateDatabase, openRuntime } from '../open-runtime.ts';
import { deleteTenant } from './delete-tenant.ts';
import { exportTenant } from './export-tenant.ts';
import { importTenant } from './import-tenant.ts';

const silent = pino({ level: 'silent' });

/** An installation as documented: one login owns the tables, another serves, and neither is a superuser. */
async function openSite(folder: string, key: number): Promise<Config> {
  const { ownerUrl, serverUrl } = await createDatabase();
  const keyFile = join(folder, `key-${key}`);
  await writeFile(keyFile, Buffer.alloc(32, key).toString('base64'), { mode: 0o600 });
  const config = readConfig({
    DATABASE_URL: serverUrl,
    MIGRATE_DATABASE_URL: ownerUrl,
    SECRETS_KEY_FILE: keyFile,
    STATE_FOLDER: folder,
  });
  await migrateDatabase(config, silent);
  return config;
}

test('a tenant is exported, restored and deleted with the logins of a plant', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-tenants-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [here, there] = [await openSite(folder, 1), await openSite(folder, 2)];
  const runtime = await openRuntime(here, silent);
  await createTenant(runtime, { name: 'Valmont Water' });
  const tenantId = await createTenant(runtime, { name: 'Brume Wind' });
  await inTenant(runtime.database, tenantId, (transaction) =>
    writePast(transaction, {
      tags: [{ id: 1, name: 'Rotor' }],
      tagGroups: [{ id: 1 }],
      occurrences: [1, 2, 3].map((id) => ({ id, tagId: 1, tagGroupId: 1, raised: transaction.now })),
    }),
  );
  await runtime.database.close();

  const [file, copy] = [join(folder, 'wind.ndjson.gz'), join(folder, 'copy.ndjson.gz')];
  const exported = await exportTenant(here, silent, ['Brume Wind', file]);
  expect(exported.rows).toMatchObject({ tags: 1, occurrences: 3, station_days: 2 });
  await importTenant(there, silent, [file]);
  const again = await exportTenant(there, silent, ['Brume Wind', copy]);
  // The restored tenant has two more entries in its trail: that of the export and that of the import.
  expect(again.rows).toEqual({ ...exported.rows, audit_entries: (exported.rows['audit_entries'] ?? 0) + 2 });

  const deleted = await deleteTenant(here, silent, ['Brume Wind', '--confirm', 'Brume Wind']);
  expect(deleted.rows).toMatchObject({ tags: 1, occurrences: 3, station_days: 2 });
  await expect(exportTenant(here, silent, ['Brume Wind', file])).rejects.toThrow('Brume Wind');
}, 120_000);
