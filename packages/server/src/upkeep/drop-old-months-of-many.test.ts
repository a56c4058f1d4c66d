import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect } from 'vitest';
import { createAlarmWriter } from '../alarms/write/alarm-writer.ts';
import { expectRebuilt } from '../history/testing/recount.fixture.ts';
import { tenantsToRetire } from '../postgres/partitions.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { readTenant } from '../postgres/tenant-transaction.ts';
import { test } from '../testing/plant.fixture.ts';
import { dropOldMonths } from './drop-old-months.ts';
import { addPastTenants } from './testing/past-tenants.fixture.ts';

const machine = { name: 'PLC', subject: 'key:1', userId: undefined, stationIds: undefined };
const tenants = 300;

const connect = async ({ database }: Runtime) => {
  const owner = new pg.Client({ connectionString: database.pool.options.connectionString });
  await owner.connect();
  return owner;
};

async function giveThemAPast(runtime: Runtime): Promise<void> {
  const owner = await connect(runtime);
  await addPastTenants(owner, { tenants, texts: 5, months: ['2025-01', '2025-02', '2025-12'] });
  await owner.end();
}

const sumsOf = (runtime: Runtime, tenantId: number) =>
  readTenant(runtime.database, tenantId, async ({ client }) => {
    const { rows } = await client.query(
      `select month, sum(occurrences)::integer as occurrences,
         (select sum(occurrences)::integer from text_totals where tenant_id = $1) as total
       from text_months where tenant_id = $1 group by month order by month`,
      [tenantId],
    );
    return rows;
  });

test('a server that is killed while it shortens histories is continued by the next', async ({
  runtime,
  clock,
}) => {
  await giveThemAPast(runtime);
  clock.set('2026-01-15T12:00:00Z');
  const program = fileURLToPath(new URL('./testing/drop-old-months.fixture.ts', import.meta.url));
  const url = runtime.database.pool.options.connectionString ?? '';
  const child = spawn(
    process.execPath,
    ['--conditions=source', program, url, '3', clock.now().toISOString()],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  // It tells its progress after a hundred tenants.
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const left = await tenantsToRetire(runtime.database, 3);
  expect(left.length).toBeGreaterThan(0);
  expect(left.length).toBeLessThanOrEqual(tenants - 100 + 1);

  expect(await dropOldMonths(runtime, 3)).toEqual(['2025-01', '2025-02']);
  expect(await tenantsToRetire(runtime.database, 3)).toEqual([]);
  const december = [{ month: 2025 * 12 + 11, occurrences: 5, total: 5 }];
  for (const tenantId of [2, 101, tenants]) {
    expect(await sumsOf(runtime, tenantId)).toEqual(december);
    await expectRebuilt(runtime, tenantId);
  }
}, 60_000);

test('alarms of other tenants do not wait for the one whose histories are shortened', async ({
  runtime,
  clock,
}) => {
  await giveThemAPast(runtime);
  clock.set('2026-01-15T12:00:00Z');
  const owner = await connect(runtime);
  // Somebody else works on the counters of tenant 50 all the time.
  await owner.query('begin; select from tenant_counters where tenant_id = 50 for update');
  const dropping = dropOldMonths(runtime, 3);
  await expect
    .poll(async () => (await tenantsToRetire(runtime.database, 3)).length)
    .toBeLessThan(tenants - 40);
  const { submit } = createAlarmWriter(runtime);
  const ids = await Promise.all(
    [1, 2, 200, tenants].map((tenantId) =>
      submit(tenantId, { kind: 'post', actor: machine, body: { path: 'Pump' } }),
    ),
  );
  expect(ids).toHaveLength(4);
  await owner.query('rollback');
  await owner.end();
  expect(await dropping).toEqual(['2025-01', '2025-02']);
}, 60_000);
