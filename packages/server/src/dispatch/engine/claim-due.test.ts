import pg from 'pg';
import { expect } from 'vitest';
import { test } from '../../testing/plant.fixture.ts';

test.for([
  ['none is', '1 day'],
  ['one is', '-1 second'],
] as const)(
  'looking for due escalations costs the same however many tenants have open ones: %s due',
  async ([, dueIn], { runtime }) => {
    const owner = new pg.Client({ connectionString: runtime.database.pool.options.connectionString });
    await owner.connect();
    // Copies of an escalation that is due tomorrow, without their tenants: only the search is measured.
    await owner.query(`set session_replication_role = replica;
    insert into escalations (tenant_id, occasion, priority, plan, state, opened_at, first_due_at, due_at)
    select n, 'raised', 1, '{}', '{}', now(), now() + interval '1 day', now() + interval '1 day'
    from generate_series(1, 300) n;
    update escalations set due_at = now() + interval '${dueIn}' where tenant_id = 150`);
    await owner.query('analyze escalations');
    const claim = "select claim_escalations(500, now(), now() + interval '10 s')";
    // The first call also reads the catalog.
    await owner.query(claim);
    await owner.query('update escalations set lease_until = null');
    await owner.query('vacuum analyze escalations');
    const { rows } = await owner.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, buffers, costs off, timing off) ${claim}`,
    );
    await owner.end();
    const [, pages] = /Buffers: shared hit=(\d+)/.exec(rows.map((row) => row['QUERY PLAN']).join('\n')) ?? [];
    expect(Number(pages)).toBeLessThan(300);
  },
);
