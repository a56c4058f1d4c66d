import { addSeconds } from '@tocsin/domain';
import { expect } from 'vitest';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { pagesRead } from '../../testing/pages-read.ts';
import { test } from '../../testing/plant.fixture.ts';
import { listOverdue, listWaiting } from './overdue-escalation.store.ts';

type Some = { firstId: number; count: number; firstDueAt: Date; dueAt: Date; attempts: number };

/** Open escalations of tenant 1, each with attempts that no provider has accepted. */
async function addEscalations({ client, now }: TenantTransaction, some: Some): Promise<void> {
  const { firstId, count, firstDueAt, dueAt, attempts } = some;
  await client.query(
    `insert into escalations (tenant_id, id, occasion, priority, plan, state, opened_at, first_due_at, due_at)
     select 1, $1 + n, 'raised', 1, '{}', '{}', $3, $4, $5 from generate_series(1, $2) n`,
    [firstId, count, now, firstDueAt, dueAt],
  );
  await client.query(
    `insert into call_attempts (tenant_id, id, escalation_id, user_id, user_name, attempt, medium, address, message, search_text, status,
       outcome, reason, started_at)
     select 1, 10 * ($1 + n) + a, $1 + n, 1, '', a, 'Sms', '', '', '', 'Failed', 'failed', '', $4
     from generate_series(1, $2) n, generate_series(1, $3) a`,
    [firstId, count, attempts, now],
  );
  // So that the next refresh of statistics sees these rows.
  await client.query('select pg_stat_force_next_flush()');
}

/** Analyzes the tables that have changed much, and returns how many. */
const analyze = ({ database }: Runtime): Promise<number> =>
  inTenant(database, 1, async ({ client }) => {
    const { rows } = await client.query<{ count: number }>('select refresh_statistics() as count');
    return rows[0]?.count ?? 0;
  });

/** The pages that a function of the database reads, without those of the catalog, which the first call reads too. */
async function pagesOf({ client }: TenantTransaction, call: string, before: Date): Promise<number> {
  const statement = `select * from ${call}($1)`;
  await pagesRead(client, statement, [before]);
  return pagesRead(client, statement, [before]);
}

test('calls that wait for hours cost the watch of late calls nothing', async ({ runtime }) => {
  await inTenant(runtime.database, 1, async (transaction) => {
    const late = { firstDueAt: addSeconds(transaction.now, -300), dueAt: addSeconds(transaction.now, -200) };
    await addEscalations(transaction, { firstId: 0, count: 20, attempts: 2, ...late });
  });
  const watch = (call: string) =>
    inTenant(runtime.database, 1, (transaction) =>
      pagesOf(transaction, call, addSeconds(transaction.now, -60)),
    );
  const few = { waiting: await watch('waiting_calls'), overdue: await watch('overdue_escalations') };
  await inTenant(runtime.database, 1, (transaction) => {
    const inTwoHours = addSeconds(transaction.now, 7_200);
    const later = { firstDueAt: inTwoHours, dueAt: inTwoHours, attempts: 0 };
    return addEscalations(transaction, { firstId: 100, count: 5_000, ...later });
  });
  // As just after a storm, when the planner knows nothing of the new rows, and later.
  const pages = { waiting: await watch('waiting_calls'), overdue: await watch('overdue_escalations') };
  expect(await analyze(runtime)).toBeGreaterThan(0);
  const known = { waiting: await watch('waiting_calls'), overdue: await watch('overdue_escalations') };
  console.log('pages of the watch of late calls:', few, pages, known);
  for (const { waiting, overdue } of [pages, known]) {
    expect(waiting).toBeLessThanOrEqual(few.waiting + 30);
    expect(overdue).toBeLessThanOrEqual(few.overdue + 30);
  }
});

test('the watch counts what is late and what nobody was sent', async ({ runtime }) => {
  await inTenant(runtime.database, 1, async (transaction) => {
    const { now } = transaction;
    const late = { firstDueAt: addSeconds(now, -300), dueAt: addSeconds(now, -200) };
    await addEscalations(transaction, { firstId: 0, count: 3, attempts: 2, ...late });
    await addEscalations(transaction, { firstId: 10, count: 2, attempts: 0, ...late });
    const goesOn = { firstDueAt: addSeconds(now, -300), dueAt: addSeconds(now, 300) };
    await addEscalations(transaction, { firstId: 20, count: 4, attempts: 1, ...goesOn });
    await addEscalations(transaction, { firstId: 30, count: 5, attempts: 0, ...goesOn });
    await transaction.client.query("update call_attempts set outcome = 'delivered' where escalation_id = 1");
    const before = addSeconds(now, -60);
    expect(await listOverdue(transaction, before)).toMatchObject([{ tenantId: 1, escalations: 5 }]);
    // Not the one that was delivered, and not those that wait on purpose with no attempt.
    expect(await listWaiting(transaction, before)).toEqual([
      { tenantId: 1, queued: 0, unaccepted: 2 + 2 + 4 },
    ]);
  });
});
