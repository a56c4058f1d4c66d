import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { expect } from 'vitest';
import { createTenant } from '../people/create-tenant.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { test } from '../testing/app.fixture.ts';
import { givePast } from './testing/occurrences.fixture.ts';

const raised = (day: number) => ({
  raised: `2026-02-0${day}T10:00:00Z`,
  acknowledged: `2026-02-0${day}T10:00:10Z`,
});

const past = {
  tags: [{ id: 1 }],
  users: [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Grace' },
  ],
  occurrences: [
    { id: 1, ...raised(1), by: 1 },
    { id: 2, ...raised(2), by: 2 },
    { id: 3, ...raised(3), by: 1 },
  ],
};

async function asOwner(runtime: Runtime, ...statements: string[]): Promise<void> {
  const owner = new pg.Client({ connectionString: runtime.database.pool.options.connectionString });
  await owner.connect();
  for (const statement of statements) await owner.query(statement);
  await owner.end();
}

test('what users acknowledged before the migration is found after it, in every tenant', async ({
  runtime,
  client,
}) => {
  await givePast(runtime, past);
  await givePast(runtime, past, await createTenant(runtime, { name: 'Brume Wind' }));
  const found = async () =>
    (await client('viewer').get('/alarms/histories?userId=1')).json<{ items: { id: number }[] }>();
  await asOwner(runtime, 'delete from acknowledgments');
  expect((await found()).items).toEqual([]);

  const file = new URL('../../migrations/0061_fill_acknowledgments.sql', import.meta.url);
  const migration = await readFile(file, 'utf8');
  // A failure leaves what was done: it is repeated.
  await asOwner(runtime, migration, migration);
  expect((await found()).items.map(({ id }) => id)).toEqual([3, 1]);
  const kept = `do $$ begin
    if (select count(*) from acknowledgments) <> 6 then raise exception 'not every tenant was filled'; end if; end $$`;
  await asOwner(runtime, kept);
});
