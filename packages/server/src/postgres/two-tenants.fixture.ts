import pg from 'pg';
import { test as base } from 'vitest';
import { cloneDatabase } from '../testing/plant.fixture.ts';
import { fillTables, tenantTables } from './tenant-tables.fixture.ts';

/** One database for the whole file: two tenants, each with a row in every table. Tests roll back their changes. */
export const test = base
  .extend('clone', { scope: 'file' }, () => cloneDatabase())
  .extend('url', { scope: 'file' }, ({ clone: { url, drop } }, { onCleanup }) => {
    onCleanup(drop);
    return url;
  })
  .extend('owner', { scope: 'file' }, async ({ url }, { onCleanup }) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onCleanup(() => client.end());
    return client;
  })
  .extend('tables', { scope: 'file' }, async ({ owner }) => {
    const tables = await tenantTables(owner);
    for (const tenantId of [1, 2]) await fillTables(owner, tables, tenantId);
    return tables;
  })
  .extend('app', { scope: 'file' }, async ({ url, tables: _filled }, { onCleanup }) => {
    const client = new pg.Client({ connectionString: url, options: '-c role=tocsin_app' });
    await client.connect();
    onCleanup(() => client.end());
    return client;
  });

/** Runs `work` as the server would for the tenant (none if undefined), and rolls it back. */
export async function as<Result>(
  client: pg.Client,
  tenantId: number | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('begin');
  try {
    if (tenantId !== undefined)
      await client.query("select set_config('tocsin.tenant', $1, true)", [String(tenantId)]);
    return await work();
  } finally {
    await client.query('rollback');
  }
}
