import { expect } from 'vitest';
import { refreshStatistics } from '../postgres/statistics.ts';
import { inTenant, readTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { test as base } from '../testing/app.fixture.ts';
import { areasStatement } from './area.store.ts';
import { healthStatement } from './console-health.store.ts';

const current = 5_000;
const quiet = 20_000;
const groups = 40;

/** The columns of a table that can be written. */
async function columnsOf({ client }: TenantTransaction, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** Copies the only row of a table, with other values in some columns that depend on a number `n`. */
async function multiply(
  transaction: TenantTransaction,
  table: string,
  { changed, last }: { changed: Record<string, string>; last: number },
): Promise<void> {
  const columns = await columnsOf(transaction, table);
  const values = columns.map((column) => changed[column] ?? `x.${column}`);
  await transaction.client.query(
    `insert into ${table} (${columns.join(', ')})
     select ${values.join(', ')} from ${table} x cross join generate_series(2, ${last}) n`,
  );
}

/** A plant with 25,000 tags in 40 areas, of which 5,000 are in alarm, and a long journal. */
const test = base.extend('viewer', async ({ client, runtime }) => {
  const engineer = client('engineer');
  for (let n = 1; n <= groups; n++) await engineer.post('/taggroups', { name: `area ${n}`, stationId: 1 });
  await engineer.post('/alarms', { path: 'pump', tagGroupId: 1 });
  await inTenant(runtime.database, 1, async (transaction) => {
    const group = `1 + n % ${groups}`;
    await multiply(transaction, 'tags', {
      changed: { id: 'n', path: "'pump ' || n", tag_group_id: group, priority: '1 + n % 5' },
      last: current + quiet,
    });
    const state = `case when n <= ${current} then 1 + n % 3 else 0 end`;
    await multiply(transaction, 'alarms', { changed: { tag_id: 'n', state }, last: current + quiet });
    await multiply(transaction, 'journal', { changed: { seq: 'n', tag_id: 'n' }, last: current + quiet });
    await transaction.client.query('update tenant_counters set seq = $1', [current + quiet]);
  });
  // PostgreSQL counts the changes of a connection with a delay; the upkeep of the server runs again and again, too.
  await runtime.database.pool.query('select pg_stat_force_next_flush()');
  await refreshStatistics(runtime.database);
  return client('viewer');
});

test('with 5,000 current alarms among 25,000 tags neither areas nor health read all alarms, changes and calls', async ({
  viewer,
  runtime,
}) => {
  const items = (await viewer.get('/areas?limit=1000')).json<{ items: { counts: { active: number }[] }[] }>()
    .items;
  expect(items).toHaveLength(groups);
  const active = items.flatMap(({ counts }) => counts).reduce((sum, count) => sum + count.active, 0);
  expect(active).toBeGreaterThan(current / 2);

  const figures: string[] = [];
  for (const path of ['/areas?limit=1000', '/console/health', '/alarms/contexts?limit=1000']) {
    const times: number[] = [];
    for (let n = 0; n < 15; n++) {
      const start = performance.now();
      expect((await viewer.get(path)).statusCode).toBe(200);
      times.push(performance.now() - start);
    }
    const [fastest = 0, , , , , , , median = 0] = times.toSorted((one, other) => one - other);
    figures.push(`${path} ${fastest.toFixed(1)} ms, median ${median.toFixed(1)} ms`);
    expect(fastest, path).toBeLessThan(1_000);
  }
  process.stdout.write(`console with ${current} current alarms: ${figures.join('; ')}\n`);

  await readTenant(runtime.database, 1, async ({ client, now }) => {
    for (const [statement, values] of [
      [areasStatement, [1, null]],
      [healthStatement, [1, null, now]],
    ] as const) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (analyze) ${statement}`, [
        ...values,
      ]);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).not.toMatch(/Seq Scan on (alarms|journal|escalations|call_attempts)/);
    }
  });
});
