import { expect } from 'vitest';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { test } from '../../testing/plant.fixture.ts';

/** What dispatchers and upkeep ask once a second or more often, mostly for nothing. */
const polled = [
  'attempts_to_hang_up',
  'claim_abandoned_attempts',
  'claim_accepted_calls',
  'claim_attempts',
  'claim_escalations',
  'tenants_with_expired_masks',
  'unreported_system_alarms',
];

type PlannedFunction = { name: string; language: string; settings: string[] };

test('PostgreSQL keeps the plans of functions that are polled', async ({ runtime }) => {
  const found = await inTenant(runtime.database, 1, async ({ client }) => {
    const { rows } = await client.query<PlannedFunction>(
      `select p.proname as name, l.lanname as language, p.proconfig as settings
       from pg_proc p join pg_language l on l.oid = p.prolang where p.proname = any ($1) order by 1`,
      [polled],
    );
    return rows;
  });
  expect(found.map(({ name }) => name)).toEqual(polled);
  for (const { name, language, settings } of found) {
    // Statements of a function in SQL are planned at each call.
    expect(`${name}: ${language}`).toBe(`${name}: plpgsql`);
    expect(settings, name).toContain('plan_cache_mode=force_generic_plan');
  }
});
