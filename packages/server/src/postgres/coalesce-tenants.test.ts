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
