import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createTenant } from '../people/create-tenant.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { pagesRead } from '../testing/pages-read.ts';
import { test } from '../testing/plant.fixture.ts';
import { readCallDirectory } from './call-directory.store.ts';

/** A tenant with as many people, each with two telephones, and as many call groups of one person. */
async function tenantWith(runtime: Runtime, count: number): Promise<number> {
  const tenantId = await createTenant(runtime, { name: `With ${count}` });
  await inTenant(runtime.database, tenantId, async ({ client, now }) => {
    const run = (text: string, ...values: unknown[]) => client.query(text, [tenantId, count, ...values]);
    await run(
      `insert into users (tenant_id, id, username, name, search_text, role, last_change)
       select $1, 100 + n, $3 || n, 'Person ' || n, '', 'operator', $4 from generate_series(1, $2) n`,
      randomUUID(),
      now,
    );
    await run(
      `insert into user_media (tenant_id, user_id, position, kind, address, enabled, confirmed_by, confirmed_at)
       select $1, 100 + n, p, 'Voice', '+33123' || p || n, true, case p when 1 then 'administrator' end,
         case p when 1 then $3::timestamptz end
       from generate_series(1, $2) n, generate_series(1, 0, -1) p`,
      now,
    );
    await run(
      `insert into call_groups (tenant_id, id, name, localized_name, search_text, mode, ack_timeout, attempts, cycles,
         slot_minutes, last_change)
       select $1, n, 'Group ' || n, '', '', 'Sequential', 60, 1, 1, 60, $3 from generate_series(1, $2) n`,
      now,
    );
    await run(
      `insert into call_group_members (tenant_id, call_group_id, position, user_id)
       select $1, n, 0, 100 + n from generate_series(1, $2) n`,
    );
  });
  return tenantId;
}

/** The pages that reading the directory takes, by the statement that was just prepared on this connection. */
async function pagesOf(transaction: TenantTransaction): Promise<number> {
  await readCallDirectory(transaction);
  return pagesRead(transaction.client, `execute "read-call-directory" (${transaction.tenantId})`);
}

test('each group has its own members, each person the own media in their order', async ({ runtime }) => {
  const tenantId = await tenantWith(runtime, 3);
  const { groups, people } = await inTenant(runtime.database, tenantId, readCallDirectory);
  expect([...groups.values()].map(({ id, userIds }) => [id, userIds])).toEqual([
    [1, [101]],
    [2, [102]],
    [3, [103]],
  ]);
  expect(people.get(102)).toMatchObject({
    media: [{ kind: 'Voice', address: '+3312312' }],
    unconfirmed: [{ kind: 'Voice', address: '+3312302' }],
  });
});

test('the directory of 20 groups and 20 people costs few more pages than that of one', async ({
  runtime,
}) => {
  const [small, large] = [await tenantWith(runtime, 1), await tenantWith(runtime, 20)];
  const pagesOfTenant = (tenantId: number) => inTenant(runtime.database, tenantId, pagesOf);
  const [one, twenty] = [await pagesOfTenant(small), await pagesOfTenant(large)];
  console.log(`pages of a call directory: ${one} with one group, ${twenty} with 20`);
  // Looked up group by group and person by person, each table is searched 20 times.
  expect(twenty - one).toBeLessThan(60);
});
