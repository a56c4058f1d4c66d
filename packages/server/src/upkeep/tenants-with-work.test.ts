import { expect } from 'vitest';
import { createAlarmWriter } from '../alarms/write/alarm-writer.ts';
import { createTenant } from '../people/create-tenant.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { test } from '../testing/plant.fixture.ts';
import { upkeepJobs } from './upkeep-jobs.ts';

/** How many transactions all jobs open when each runs once. */
async function countTransactions(runtime: Runtime): Promise<number> {
  const { pool } = runtime.database;
  let count = 0;
  const onAcquire = () => (count += 1);
  pool.on('acquire', onAcquire);
  const settings = { retentionMonths: 13, auditRetentionMonths: 24 };
  for (const { run } of upkeepJobs(runtime, createAlarmWriter(runtime), settings)) await run();
  pool.off('acquire', onAcquire);
  return count;
}

test('the jobs of a server open no transaction in tenants that have nothing to do', async ({ runtime }) => {
  await countTransactions(runtime);
  const few = await countTransactions(runtime);
  for (let number = 0; number < 10; number++) await createTenant(runtime, { name: `Plant ${number}` });
  // Once a month, and for the first time now, each tenant is told where its histories begin.
  await countTransactions(runtime);
  expect(await countTransactions(runtime)).toBe(few);
});
