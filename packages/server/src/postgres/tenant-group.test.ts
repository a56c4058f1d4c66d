import { expect } from 'vitest';
import { createTenant } from '../people/create-tenant.ts';
import { test } from '../testing/plant.fixture.ts';
import type { Runtime } from './runtime.ts';
import { inTenants, inTenantsForAlarms } from './tenant-group.ts';
import { type AlarmTransaction, readTenant } from './tenant-transaction.ts';

const rename = ({ client, tenantId }: Pick<AlarmTransaction, 'client' | 'tenantId'>, name: string) =>
  client.query('update tenants set name = $2 where id = $1', [tenantId, name]);

/** Every tenant that the statement sees: with row-level security, its own only. */
const visible = async ({ client }: Pick<AlarmTransaction, 'client'>) =>
  (await client.query<{ id: number }>('select id from tenants')).rows.map(({ id }) => id);

const nameOf = ({ database }: Runtime, tenantId: number) =>
  readTenant(database, tenantId, async (transaction) => {
    const row = await transaction.selectFrom('tenants').select('name').executeTakeFirstOrThrow();
    return row.name;
  });

test('each statement of a shared transaction sees the rows of its own tenant, however they interleave', async ({
  runtime,
}) => {
  const second = await createTenant(runtime, { name: 'B' });
  const lookTwice = async (transaction: Pick<AlarmTransaction, 'client'>) => {
    const first = await visible(transaction);
    return [...first, ...(await visible(transaction))];
  };
  const alarms = inTenantsForAlarms(runtime.database, [1, second], async (transaction) => {
    const seen = await lookTwice(transaction);
    await transaction.commit();
    return seen;
  });
  expect(await alarms).toEqual([
    [1, 1],
    [second, second],
  ]);
  expect(await inTenants(runtime.database, [second, 1, second], lookTwice)).toEqual([
    [second, second],
    [1, 1],
    [second, second],
  ]);
});

test('a shared transaction is committed when every tenant has asked for it', async ({ runtime }) => {
  const second = await createTenant(runtime, { name: 'B' });
  const order: string[] = [];
  await inTenantsForAlarms(runtime.database, [1, second], async (transaction) => {
    await rename(transaction, 'New');
    if (transaction.tenantId === second) {
      expect(await nameOf(runtime, 1)).toBe('Valmont Water');
      order.push('second asks');
    }
    await transaction.commit();
    order.push('committed');
  });
  expect(order).toEqual(['second asks', 'committed', 'committed']);
  expect([await nameOf(runtime, 1), await nameOf(runtime, second)]).toEqual(['New', 'New']);
});

test.for([
  ['a statement of one tenant fails', 'select 1 / 0'],
  ['the work of one tenant fails', undefined],
] as const)('nothing is stored for any tenant if %s', async ([, statement], { runtime }) => {
  const second = await createTenant(runtime, { name: 'B' });
  const shared = inTenantsForAlarms(runtime.database, [1, second], async (transaction) => {
    const renamed = rename(transaction, 'New');
    if (transaction.tenantId === second && statement === undefined) throw new Error('undecidable');
    const failed = transaction.tenantId === second ? transaction.client.query(statement ?? '') : undefined;
    await Promise.all([renamed, failed, transaction.commit()]);
  });
  await expect(shared).rejects.toThrow(statement === undefined ? 'undecidable' : 'division by zero');
  expect([await nameOf(runtime, 1), await nameOf(runtime, second)]).toEqual(['Valmont Water', 'B']);
  const { alarmPool } = runtime.database;
  expect(alarmPool.idleCount).toBe(alarmPool.totalCount);
});
