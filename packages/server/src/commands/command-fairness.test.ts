import { expect } from 'vitest';
import { createTenant } from '../people/create-tenant.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, outsideTenants } from '../postgres/tenant-transaction.ts';
import { claimRuns } from './command-lease.store.ts';
import { raise, runsOf, test, workUntil } from './testing/commands.fixture.ts';

type Ordered = { tenantId: number; scriptId?: number; kind?: 'execute' | 'stop'; count: number };

/** Runs that are due now, each a moment after the one before. */
async function order({ database }: Runtime, orders: readonly Ordered[]): Promise<void> {
  let place = 0;
  for (const { tenantId, scriptId = 1, kind = 'execute', count } of orders) {
    await inTenant(database, tenantId, async ({ client, now }) => {
      const due = new Date(now.getTime() - 50_000 + place);
      await client.query(
        `insert into command_runs (tenant_id, id, kind, script_id, parameter, tag_id, occurrence_id, station_id, occasion,
           granted_by, status, ordered_at, due_at, not_after)
         select $1, coalesce((select max(id) from command_runs where tenant_id = $1), 0) + n, $2, $3, '', 1, 1, 1, 'raised',
           'user:1', 'queued', $4::timestamptz, $4::timestamptz + make_interval(secs => n * 0.001),
           $4::timestamptz + interval '60 s'
         from generate_series(1, $5) as n`,
        [tenantId, kind, scriptId, due, count],
      );
    });
    place += count;
  }
}

/** Counts the claimed runs by tenant. */
async function take(
  { database }: Runtime,
  free: number,
  held: readonly [number, number][] = [],
): Promise<Record<number, number>> {
  const taken = await outsideTenants(database, (outside) =>
    claimRuns(outside, { free, held: new Map(held) }),
  );
  const byTenant = Map.groupBy(taken, ({ tenantId }) => tenantId);
  return Object.fromEntries([...byTenant].map(([tenantId, runs]) => [tenantId, runs.length]));
}

test('a thousand programs of one tenant do not delay the first one of another', async ({ runtime }) => {
  const second = await createTenant(runtime, { name: 'Brume Wind' });
  await order(runtime, [
    { tenantId: 1, count: 1_000 },
    { tenantId: second, count: 1 },
  ]);
  expect(await take(runtime, 64)).toEqual({ 1: 32, [second]: 1 });
});

test('a single tenant gets half of the slots, and the rest is reserved for others', async ({ runtime }) => {
  const others = [
    await createTenant(runtime, { name: 'Brume Wind' }),
    await createTenant(runtime, { name: 'Clos Solar' }),
  ];
  await order(runtime, [{ tenantId: 1, count: 200 }]);
  expect(await take(runtime, 64)).toEqual({ 1: 32 });
  expect(await take(runtime, 32, [[1, 32]])).toEqual({});
  await order(
    runtime,
    others.map((tenantId) => ({ tenantId, count: 200 })),
  );
  const [second = 0, third = 0] = others;
  expect(await take(runtime, 32, [[1, 32]])).toEqual({ [second]: 11, [third]: 11 });
});

test('within a tenant many runs of one command do not delay another command', async ({ runtime }) => {
  await order(runtime, [
    { tenantId: 1, scriptId: 1, count: 400 },
    { tenantId: 1, scriptId: 2, count: 1 },
  ]);
  const taken = await outsideTenants(runtime.database, (outside) =>
    claimRuns(outside, { free: 4, held: new Map() }),
  );
  expect(taken.map(({ id }) => id).toSorted((one, other) => one - other)).toEqual([1, 401]);
});

test('stopping programs needs no slot and does not wait for queued runs', async ({ runtime }) => {
  await order(runtime, [
    { tenantId: 1, count: 400 },
    { tenantId: 1, kind: 'stop', count: 1 },
  ]);
  expect(await take(runtime, 0, [[1, 64]])).toEqual({ 1: 1 });
});

test('two servers claim different runs, and neither waits for the other', async ({ runtime }) => {
  await order(runtime, [{ tenantId: 1, count: 100 }]);
  const capacity = { free: 8, held: new Map() };
  const { database } = runtime;
  const [first, second] = await outsideTenants(database, async (one) => [
    await claimRuns(one, capacity),
    await outsideTenants(database, (other) => claimRuns(other, capacity)),
  ]);
  const third = await outsideTenants(database, (outside) => claimRuns(outside, capacity));
  const ids = [first, second, third].flatMap((taken) => (taken ?? []).map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  expect([first?.length, third.length]).toEqual([4, 4]);
});

test('endless programs of one tenant leave slots for another', async ({
  runtime,
  client,
  worker,
  workshop,
}) => {
  const second = await createTenant(runtime, { name: 'Brume Wind' });
  const list = worker([
    { argv: workshop.script('stay', 'sleep 300'), maxParallel: 64 },
    { tenantId: second, argv: workshop.script('note', 'echo ran > ran') },
  ]);
  const execute = { alarmActions: [{ type: 'ExecuteCommand', scriptId: 1 }] };
  const first = client('engineer');
  for (let boiler = 0; boiler < 70; boiler++) await raise(first, `boiler/${boiler}`, execute);
  await list.work();
  await list.work();
  expect((await runsOf(first)).filter(({ status }) => status === 'running')).toHaveLength(32);
  const other = client('engineer', { tenantId: second });
  await raise(other, 'turbine', execute);
  await workUntil(list, async () => (await runsOf(other))[0]?.status === 'done');
  expect(workshop.note('ran')).toBe('ran\n');
});
