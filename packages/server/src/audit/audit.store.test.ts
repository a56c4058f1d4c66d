import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect } from 'vitest';
import { createTenant } from '../people/create-tenant.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, outsideTenants, readTenant } from '../postgres/tenant-transaction.ts';
import { test } from '../testing/plant.fixture.ts';
import {
  appendAudit,
  auditEnd,
  deleteAuditEntries,
  lastAuditEntries,
  listAudit,
  readAudit,
} from './audit.store.ts';
import { type AuditDraft, chainHash, noHash, systemOrigin } from './audit-entry.ts';
import { canonicalJson } from './canonical-json.ts';

const change = (after: unknown): AuditDraft => ({
  ...systemOrigin,
  action: 'user.change',
  object: { kind: 'user', id: '7' },
  after,
});

const append = ({ database }: Runtime, drafts: AuditDraft[], tenantId = 1) =>
  inTenant(database, tenantId, (transaction) => appendAudit(transaction, drafts, transaction.now));

const read = ({ database }: Runtime, tenantId = 1) =>
  readTenant(database, tenantId, (transaction) =>
    readAudit(transaction, { from: 1, to: 1_000_000, limit: 10_000 }),
  );

test('the database chains entries as the verifier does, for any content', async ({ runtime }) => {
  await append(runtime, [
    change({ name: 'Zoë \u0000 \ud800 “quoted”', list: [1.5, -0, 1e21, null], 'ключ\u2028': {} }),
    change(null),
  ]);
  await append(runtime, [change({ b: 1, a: undefined })]);
  const entries = await read(runtime);
  let previous = noHash;
  for (const [index, { number, hash, text }] of entries.entries()) {
    expect(number).toBe(index + 1);
    expect(canonicalJson(JSON.parse(text))).toBe(text);
    expect(hash).toBe(chainHash(previous, number, text));
    previous = hash;
  }
  expect(entries).toHaveLength(4); // including the creation of the tenant
});

test('concurrent appends get numbers without gaps, and a rolled-back append leaves none', async ({
  runtime,
}) => {
  const rolledBack = inTenant(runtime.database, 1, async (transaction) => {
    await appendAudit(transaction, [change('rolled back')], transaction.now);
    await sleep(50);
    throw new Error('rolled back');
  });
  const done = Array.from({ length: 20 }, (_, n) => append(runtime, [change(n)]));
  await expect(rolledBack).rejects.toThrow('rolled back');
  await Promise.all(done);
  const entries = await read(runtime);
  expect(entries.map(({ number }) => number)).toEqual(Array.from({ length: 21 }, (_, n) => n + 1));
  expect(entries.filter(({ text }) => text.includes('rolled back'))).toEqual([]);
  for (const [index, { number, hash, text }] of entries.entries())
    expect(hash).toBe(chainHash(entries[index - 1]?.hash ?? noHash, number, text));
});

test('an append that waits for its commit delays neither alarms nor other tenants', async ({ runtime }) => {
  const other = await createTenant(runtime, { name: 'Brenner Gas' });
  let letGo = () => {};
  const held = inTenant(runtime.database, 1, async (transaction) => {
    await appendAudit(transaction, [change('slow')], transaction.now);
    await new Promise<void>((resolve) => {
      letGo = resolve;
    });
  });
  await sleep(100);
  await append(runtime, [change('quick')], other);
  letGo();
  await held;
});

const attempts = [
  "update audit_entries set entry = '{}'",
  "update audit_entries set hash = sha256('')",
  'delete from audit_entries',
  'truncate audit_entries',
];

test.for(attempts)('the server cannot: %s', async (statement, { runtime }) => {
  await expect(inTenant(runtime.database, 1, ({ client }) => client.query(statement))).rejects.toThrow(
    'permission denied',
  );
});

test.for(attempts)('neither can the owner by mistake: %s', async (statement, { runtime }) => {
  await append(runtime, [change(1)]);
  const owner = new pg.Client({ connectionString: runtime.database.pool.options.connectionString });
  await owner.connect();
  await expect(owner.query(statement)).rejects.toThrow('audit entries are neither changed nor removed');
  await owner.end();
});

test('the oldest entries are deleted, but none of the last year, and never the newest', async ({
  runtime,
  clock,
}) => {
  clock.set('2020-01-01T00:00:00Z');
  const old = await createTenant(runtime, { name: 'Old Mill' });
  await append(runtime, [change(2), change(3)], old);
  clock.set('2021-01-01T00:00:00Z');
  await append(runtime, [change(4)], old);
  const deleteBefore = (before: string, maxCount: number) =>
    inTenant(runtime.database, old, (transaction) =>
      deleteAuditEntries(transaction, new Date(before), maxCount),
    );
  const kept = async () => (await read(runtime, old)).map(({ number }) => number);

  const [, second] = await read(runtime, old);
  expect(await deleteBefore('2020-06-01', 2)).toEqual({ number: 2, hash: second?.hash });
  expect(await kept()).toEqual([3, 4]);
  expect(await deleteBefore('2020-06-01', 100)).toMatchObject({ number: 3 });
  expect(await deleteBefore('2100-01-01', 100)).toBeUndefined();
  expect(await kept()).toEqual([4]);
  clock.set(new Date().toISOString());
  await append(runtime, [change(5), change(6)], old);
  expect(await deleteBefore('2100-01-01', 100)).toMatchObject({ number: 4 });
  expect(await deleteBefore('2100-01-01', 100)).toBeUndefined();
  expect(await kept()).toEqual([5, 6]);
});

test('the newest entries of all tenants are read in one query', async ({ runtime }) => {
  const other = await createTenant(runtime, { name: 'Brenner Gas' });
  await append(runtime, [change(1)], other);
  const ends = await outsideTenants(runtime.database, lastAuditEntries);
  expect(ends.map(({ tenantId, number }) => [tenantId, number])).toEqual([
    [1, 1],
    [other, 2],
  ]);
  expect(await readTenant(runtime.database, other, auditEnd)).toEqual(ends[1]);
});

test('entries are found by time, actor, action and object', async ({ runtime, clock }) => {
  const user = { kind: 'user', id: '7', name: 'Anna' } as const;
  clock.set('2026-05-01T00:00:00Z');
  await append(runtime, [{ ...change(1), actor: user, action: 'user.delete' }]);
  clock.set('2026-06-01T00:00:00Z');
  await append(runtime, [
    { ...change(2), actor: { ...user, id: '77' }, object: { kind: 'station', id: '1' } },
  ]);
  const find = async (filter: Parameters<typeof listAudit>[1]) => {
    const page = { offset: 0, limit: 10, descending: false };
    const { rows, total } = await readTenant(runtime.database, 1, (transaction) =>
      listAudit(transaction, filter, page),
    );
    expect(rows).toHaveLength(total);
    return rows.map(({ number }) => number);
  };
  expect(await find({})).toEqual([1, 2, 3]);
  expect(await find({ from: new Date('2026-05-01'), to: new Date('2026-06-01') })).toEqual([2]);
  expect(await find({ actor: 'user:7' })).toEqual([2]);
  expect(await find({ actor: 'user' })).toEqual([2, 3]);
  expect(await find({ actor: 'system' })).toEqual([1]);
  expect(await find({ action: 'user.delete' })).toEqual([2]);
  expect(await find({ action: 'user' })).toEqual([2, 3]);
  expect(await find({ object: 'user:7' })).toEqual([2]);
  expect(await find({ object: 'user:77' })).toEqual([]);
  expect(await find({ object: 'station' })).toEqual([3]);
});
