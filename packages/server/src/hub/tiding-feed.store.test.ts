import { expect } from 'vitest';
import { inTenant } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { test } from '../testing/plant.fixture.ts';
import { listTenantsWithTidings, readTidings, readTidingsPlace } from './tiding-feed.store.ts';

const sound = { alarmId: 1, stationId: 1, occasion: 'raised', name: 'siren.wav', scriptId: 0, flags: 0 };

async function tell({ database }: Runtime, count: number): Promise<void> {
  await inTenant(database, 1, ({ client, now }) =>
    client.query(
      `insert into tidings (tenant_id, at, kind, station_id, sound)
       select 1, $1, 'sound', 1, $2 from generate_series(1, $3::integer)`,
      [now, sound, count],
    ),
  );
}

test('a flood is read in pages, all of it once, although one transaction wrote it', async ({ runtime }) => {
  const { database } = runtime;
  let place = await readTidingsPlace(database);
  await tell(runtime, 600);
  const ids: number[] = [];
  const sizes: number[] = [];
  for (let isFull = true; isFull; ) {
    const page = await readTidings(database, 1, place);
    ids.push(...page.tidings.map(({ id }) => id));
    sizes.push(page.tidings.length);
    ({ next: place, isFull } = page);
  }
  expect(sizes).toEqual([256, 256, 88]);
  expect(new Set(ids).size).toBe(600);
  expect((await readTidings(database, 1, place)).tidings).toEqual([]);
});

test('a tenant is named when it has something new, and when the database is another one', async ({
  runtime,
}) => {
  const { database } = runtime;
  const { since } = await readTidingsPlace(database);
  const named = (from: number) => listTenantsWithTidings(database, [{ tenantId: 1, since: from }]);
  expect(await named(since)).toEqual([]);
  const ahead = since + 1_000_000;
  expect(await named(ahead), 'nobody has got so far').toEqual([1]);
  const { next } = await readTidings(database, 1, { since: ahead, known: new Map() });
  expect(next.since).toBeLessThan(ahead);
  await tell(runtime, 1);
  expect(await named(next.since)).toEqual([1]);
});

test('what was taken away meanwhile is not told of', async ({ runtime }) => {
  const { database } = runtime;
  const place = await readTidingsPlace(database);
  await inTenant(database, 1, ({ client, now }) =>
    client.query(
      "insert into tidings (tenant_id, at, kind, duty_id, attempt_id) values (1, $1, 'calling', 99, 99)",
      [now],
    ),
  );
  const page = await readTidings(database, 1, place);
  expect(page.tidings).toEqual([]);
  expect((await readTidings(database, 1, page.next)).tidings).toEqual([]);
});
