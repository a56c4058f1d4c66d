import pg from 'pg';
import { expect } from 'vitest';
import { test } from '../testing/plant.fixture.ts';
import type { Database } from './database.ts';
import { outsideTenants } from './tenant-transaction.ts';

const refresh = (database: Database): Promise<number> =>
  outsideTenants(database, async ({ client }) => {
    const { rows } = await client.query<{ refreshed: number }>('select refresh_statistics() as refreshed');
    return rows[0]?.refreshed ?? Number.NaN;
  });

test('a server does not wait for tables that another one is analyzing', async ({ runtime: { database } }) => {
  const owner = new pg.Client({ connectionString: database.pool.options.connectionString });
  await owner.connect();
  try {
    await owner.query(
      `insert into upkeep_leases (job, lease_until) select 'job ' || n, now() from generate_series(1, 1000) n;
       select pg_stat_force_next_flush()`,
    );
    await owner.query('begin; lock table upkeep_leases in share update exclusive mode');
    const first = refresh(database);
    const isWaiting = async () => {
      // Within a transaction the view stays as it was first seen.
      await owner.query('select pg_stat_clear_snapshot()');
      const { rowCount } = await owner.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%refresh_statistics%'
           and datname = current_database()`,
      );
      return rowCount === 1;
    };
    await expect.poll(isWaiting).toBe(true);
    expect(await refresh(database)).toBe(0);
    await owner.query('commit');
    expect(await first).toBeGreaterThan(0);
  } finally {
    await owner.end();
  }
});
