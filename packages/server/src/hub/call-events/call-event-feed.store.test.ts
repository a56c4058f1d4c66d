import { expect } from 'vitest';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { test } from '../../testing/plant.fixture.ts';
import {
  listTenantsWithCallEvents,
  readCallEvents,
  readCallEventsPosition,
} from './call-event-feed.store.ts';

const sound = { alarmId: 1, stationId: 1, occasion: 'raised', name: 'siren.wav', scriptId: 0, flags: 0 };

async function insertCallEvents({ database }: Runtime, count: number): Promise<void> {
  await inTenant(database, 1, ({ client, now }) =>
    client.query(
      `insert into call_events (tenant_id, at, kind, station_id, sound)
       select 1, $1, 'sound', 1, $2 from generate_series(1, $3::integer)`,
      [now, sound, count],
    ),
  );
}

test('many call events of one transaction are read in pages, each once', async ({ runtime }) => {
  const { database } = runtime;
  let position = await readCallEventsPosition(database);
  await insertCallEvents(runtime, 600);
  const ids: number[] = [];
  const sizes: number[] = [];
  for (let isFull = true; isFull; ) {
    const page = await readCallEvents(database, 1, position);
    ids.push(...page.callEvents.map(({ id }) => id));
    sizes.push(page.callEvents.length);
    ({ next: position, isFull } = page);
  }
  expect(sizes).toEqual([256, 256, 88]);
  expect(new Set(ids).size).toBe(600);
  expect((await readCallEvents(database, 1, position)).callEvents).toEqual([]);
});

test('a tenant is listed when it has new call events, and when the database was replaced', async ({
  runtime,
}) => {
  const { database } = runtime;
  const { since } = await readCallEventsPosition(database);
  const listed = (from: number) => listTenantsWithCallEvents(database, [{ tenantId: 1, since: from }]);
  expect(await listed(since)).toEqual([]);
  const ahead = since + 1_000_000;
  expect(await listed(ahead), 'beyond the end of this database').toEqual([1]);
  const { next } = await readCallEvents(database, 1, { since: ahead, known: new Map() });
  expect(next.since).toBeLessThan(ahead);
  await insertCallEvents(runtime, 1);
  expect(await listed(next.since)).toEqual([1]);
});

test('call events of a deleted escalation are skipped', async ({ runtime }) => {
  const { database } = runtime;
  const position = await readCallEventsPosition(database);
  await inTenant(database, 1, ({ client, now }) =>
    client.query(
      "insert into call_events (tenant_id, at, kind, escalation_id, attempt_id) values (1, $1, 'calling', 99, 99)",
      [now],
    ),
  );
  const page = await readCallEvents(database, 1, position);
  expect(page.callEvents).toEqual([]);
  expect((await readCallEvents(database, 1, page.next)).callEvents).toEqual([]);
});
