import pg from 'pg';
import { expect } from 'vitest';
import { test } from '../testing/plant.fixture.ts';
import type { Runtime } from './runtime.ts';
import { refreshStatistics } from './statistics.ts';
import { inTenant } from './tenant-transaction.ts';

async function asOwner({ database }: Runtime, text: string) {
  const owner = new pg.Client({ connectionString: database.pool.options.connectionString });
  await owner.connect();
  try {
    return (await owner.query(text)).rowCount;
  } finally {
    await owner.end();
  }
}

test('a slow statement is cancelled when the client has given up, and upkeep may take longer', async ({
  runtime,
}) => {
  const { database } = runtime;
  await asOwner(
    runtime,
    `create or replace function refresh_statistics() returns integer language sql security definer
       as 'select 1 from pg_sleep(11)'`,
  );
  const upkeep = refreshStatistics(database);
  const slow = inTenant(database, 1, ({ client }) => client.query('select pg_sleep(60)'));
  await expect(slow).rejects.toMatchObject({ code: 'unavailable' });
  const running = `select from pg_stat_activity where query like '%pg_sleep(60)%' and state = 'active'
    and pid <> pg_backend_pid() and datname = current_database()`;
  expect(await asOwner(runtime, running)).toBe(0);
  await expect(upkeep).resolves.toBeUndefined();
}, 30_000);
