import { expect } from 'vitest';
import { as, test } from '../../postgres/two-tenants.fixture.ts';
import { isWrittenByTriggers, leftOut, orderTables } from './order-tables.ts';
import { plainBytes, sealedColumns } from './sealed-columns.ts';
import { readTenantTables } from './tenant-catalog.store.ts';
import { deleteRows, readRows } from './tenant-rows.store.ts';

test('every table of a tenant is in the catalog, with its partitions', async ({ owner, tables }) => {
  const found = await readTenantTables(owner);
  const names = [...found.map(({ name }) => name), ...found.flatMap(({ parts }) => parts)];
  expect([...new Set(names)].toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
  expect(Object.keys(leftOut)).toEqual(['call_events']);
});

test('a new table is exported and deleted without a change of the code', async ({ owner }) => {
  await as(owner, 1, async () => {
    await owner.query(
      'create table novelties (tenant_id bigint, id bigint, text text, primary key (tenant_id, id))',
    );
    await owner.query("insert into novelties values (1, 1, 'new'), (2, 1, 'of another')");
    const table = (await readTenantTables(owner)).find(({ name }) => name === 'novelties');
    if (table === undefined) throw new Error('the table was not found');
    const lines: string[] = [];
    for await (const some of readRows(owner, table, 1)) lines.push(...some);
    expect(lines).toEqual(['{"id":1,"text":"new"}']);
    const place = { part: 'novelties', tenantColumn: table.tenantColumn };
    expect(await deleteRows(owner, place, { tenantId: 1, limit: 10 })).toBe(1);
    expect((await owner.query('select tenant_id::int from novelties')).rows).toEqual([{ tenant_id: 2 }]);
  });
});

test('every column of bytes is known to be sealed or plain', async ({ owner }) => {
  const { rows } = await owner.query<{ name: string }>(`
    select c.relname || '.' || a.attname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.atttypid = 'bytea'::regtype and a.attgenerated = ''
      and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')
    order by 1`);
  const known = [...plainBytes, ...sealedColumns.map(({ table, column }) => `${table}.${column}`)];
  expect(rows.map(({ name }) => name)).toEqual(known.toSorted());
});

test('tables come after those that they refer to', async ({ owner }) => {
  const ordered = orderTables(await readTenantTables(owner));
  const placeOf = new Map(ordered.map(({ name }, index) => [name, index]));
  for (const { name, refersTo } of ordered)
    for (const other of refersTo)
      expect(placeOf.get(other), `${name} after ${other}`).toBeLessThanOrEqual(placeOf.get(name) ?? -1);
  expect(ordered.at(-1)?.name).toBe('configuration_versions');
});

test('tables that refer to each other cannot be ordered', () => {
  const pair = [
    { name: 'one', refersTo: ['two'] },
    { name: 'two', refersTo: ['one'] },
  ];
  expect(() => orderTables(pair)).toThrow('these tables refer to each other: one, two');
});

test('every trigger that writes another table is known', async ({ owner }) => {
  const { rows } = await owner.query<{ table: string; body: string }>(`
    select distinct c.relname as table, p.prosrc as body from pg_trigger t join pg_class c on c.oid = t.tgrelid
    join pg_proc p on p.oid = t.tgfoid where not t.tgisinternal and not c.relispartition and t.tgtype & 4 = 4`);
  const written = rows.flatMap(({ body }) =>
    [...body.matchAll(/\b(?:insert into|update|delete from) (\w+)/g)].map(([, name = '']) => name),
  );
  expect(written.length).toBeGreaterThan(5);
  expect(
    [...new Set(written)].filter((name) => !['of', 'set'].includes(name) && !isWrittenByTriggers(name)),
  ).toEqual([]);
});
