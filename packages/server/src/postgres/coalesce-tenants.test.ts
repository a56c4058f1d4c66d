import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { createTenant } from '../people/create-tenant.ts';
import { test } from '../testing/plant.fixture.ts';
import { coalesceTenants } from './coalesce-tenants.ts';

type Question = { tenantId: number; divisor: number };

test('work in many tenants shares transactions, and each gets its own result or its own error', async ({
  runtime,
}) => {
  const { database } = runtime;
  const tenantIds = [1];
  for (const name of ['B', 'C', 'D']) tenantIds.unshift(await createTenant(runtime, { name }));
  const ask = coalesceTenants(database, async ({ client }, { divisor }: Question) => {
    const { rows } = await client.query<{ id: number }>('select id * 12 / $1::integer as id from tenants', [
      divisor,
    ]);
    return rows.map(({ id }) => id);
  });
  let transactions = 0;
  database.pool.on('acquire', () => (transactions += 1));
  const all = await Promise.all(tenantIds.map((tenantId) => ask({ tenantId, divisor: 12 })));
  expect(all).toEqual(tenantIds.map((tenantId) => [tenantId]));
  // The first one does not wait; the others share the second transaction.
  expect(transactions).toBe(2);

  const mixed = await Promise.allSettled(
    tenantIds.map((tenantId) => ask({ tenantId, divisor: tenantId === 2 ? 0 : 12 })),
  );
  expect(mixed.map(({ status }) => status)).toEqual(
    tenantIds.map((tenantId) => (tenantId === 2 ? 'rejected' : 'fulfilled')),
  );
});

test('work that nobody waits for pauses, and what arrives meanwhile shares a transaction', async ({
  runtime,
}) => {
  const transactionOf = coalesceTenants<{ tenantId: number }, string | undefined>(
    runtime.database,
    async ({ client }) => {
      const { rows } = await client.query<{ id: string }>('select pg_current_xact_id()::text as id');
      return rows[0]?.id;
    },
    { pauseMs: 50 },
  );
  const first = await transactionOf({ tenantId: 1 });
  const second = transactionOf({ tenantId: 1 });
  await sleep(10);
  const third = transactionOf({ tenantId: 1 });
  expect(await second).toBe(await third);
  expect(await second).not.toBe(first);
});
