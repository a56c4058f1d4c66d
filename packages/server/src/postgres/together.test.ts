import { expect } from 'vitest';
import { test } from '../testing/plant.fixture.ts';
import { inTenant } from './tenant-transaction.ts';
import { together } from './together.ts';

test('statements that go out together answer in their order', async ({ runtime }) => {
  const numbers = await inTenant(runtime.database, 1, ({ client }) =>
    together([1, 2, 3].map(async (number) => (await client.query(`select ${number} as number`)).rows[0])),
  );
  expect(numbers).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
});

test('the statement that failed is told, not those that PostgreSQL refused after it', async ({ runtime }) => {
  const fail = inTenant(runtime.database, 1, async ({ client }) => {
    const nested = async () =>
      void (await together([client.query('select 1'), client.query('select 1 / 0')]));
    // The one behind is heard of sooner: its failure comes up through fewer functions.
    await together([nested(), client.query('select 2')]);
  });
  await expect(fail).rejects.toThrow('division by zero');
});
