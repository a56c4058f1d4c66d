import { expect } from 'vitest';
import { openDatabase } from './database.ts';
import {
  commonTables,
  each,
  ofEach,
  sampleRow,
  type TenantTable,
  tenantsSeen,
} from './tenant-tables.fixture.ts';
import { inTenant, outsideTenants } from './tenant-transaction.ts';
import { as, test } from './two-tenants.fixture.ts';

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: Error & { code?: string }) => `${error.code} ${error.message}`,
  );

const whole = (tables: readonly TenantTable[]) => tables.filter(({ partition }) => !partition);
const partitions = (tables: readonly TenantTable[]) => tables.filter(({ partition }) => partition);

test('every table of a tenant has forced row-level security and the policy of its tenant', async ({
  owner,
  tables,
}) => {
  const { rows } = await owner.query<Record<string, unknown>>(
    `select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
       (select json_agg(json_build_object('using', pg_get_expr(p.polqual, c.oid), 'check', pg_get_expr(p.polwithcheck, c.oid)))
        from pg_policy p where p.polrelid = c.oid and p.polpermissive and p.polcmd = '*' and p.polroles = '{0}') as policies
     from pg_class c where c.oid = any ($1::regclass[]) order by c.relname`,
    [tables.map(({ name }) => name)],
  );
  expect(rows).toEqual(
    tables.map(({ name, tenantColumn }) => {
      const rule = `(${tenantColumn} = current_tenant())`;
      return { name, enabled: true, forced: true, policies: [{ using: rule, check: rule }] };
    }),
  );
});

test('only tables of the installation have no tenant', async ({ owner }) => {
  expect(await commonTables(owner)).toEqual([
    'answer_secrets',
    'audit_keys',
    'deleted_tenants',
    'hub_secrets',
    'installation_secrets',
    'login_failures',
    'migrations',
    'moved_tenants',
    'set_up_codes',
    'signing_keys',
    'upkeep_leases',
  ]);
});

test('there are rows of both tenants in every table', async ({ owner, tables }) => {
  expect(tables.length).toBeGreaterThan(25);
  expect(partitions(tables).length).toBeGreaterThan(4);
  expect(await ofEach(tables, (table) => tenantsSeen(owner, table))).toEqual(each(tables, [1, 2]));
});

test('without a tenant, or with an impossible one, the server sees no row of any table', async ({
  app,
  tables,
}) => {
  for (const tenantId of [undefined, 0]) {
    const seen = await ofEach(whole(tables), (table) => as(app, tenantId, () => tenantsSeen(app, table)));
    expect(seen).toEqual(each(whole(tables), []));
  }
});

test('with a tenant the server sees the rows of that tenant only', async ({ app, tables }) => {
  for (const tenantId of [1, 2]) {
    const seen = await ofEach(whole(tables), (table) => as(app, tenantId, () => tenantsSeen(app, table)));
    expect(seen).toEqual(each(whole(tables), [tenantId]));
  }
});

test('the server cannot read a partition directly, and would see no more rows if it could', async ({
  app,
  owner,
  tables,
}) => {
  const outcomes = await ofEach(partitions(tables), (table) =>
    refusal(as(app, 1, () => tenantsSeen(app, table))),
  );
  for (const outcome of Object.values(outcomes)) expect(outcome).toMatch(/^42501 permission denied/);

  for (const tenantId of [undefined, 1]) {
    const seen = await ofEach(partitions(tables), (table) =>
      as(owner, tenantId, async () => {
        await owner.query(`grant select on ${table.name} to tocsin_app`);
        await owner.query('set local role tocsin_app');
        return tenantsSeen(owner, table);
      }),
    );
    expect(seen).toEqual(each(partitions(tables), tenantId === undefined ? [] : [tenantId]));
  }
});

test.for([
  { of: 2, tenantId: 1 },
  { of: 1, tenantId: undefined },
])(
  'a row of tenant $of cannot be written while the tenant is $tenantId',
  async ({ of, tenantId }, { app, owner, tables }) => {
    const outcomes = await ofEach(whole(tables), async (table) => {
      const row = await sampleRow(owner, table, of);
      const columns = Object.keys(row).join(', ');
      const text = `insert into ${table.name} (${columns})
        select ${columns} from json_populate_record(null::${table.name}, $1)`;
      return refusal(as(app, tenantId, () => app.query(text, [JSON.stringify(row)])));
    });
    for (const [name, outcome] of Object.entries(outcomes)) {
      expect(outcome).toBe(`42501 new row violates row-level security policy for table "${name}"`);
    }
  },
);

test('a row cannot be given to another tenant', async ({ app, tables }) => {
  const outcomes = await ofEach(whole(tables), ({ name, tenantColumn }) =>
    refusal(as(app, 1, () => app.query(`update ${name} set ${tenantColumn} = 2`))),
  );
  for (const outcome of Object.values(outcomes)) expect(outcome).toMatch(/^42501 /);
});

test("another tenant's rows can be neither changed nor deleted", async ({ app, tables }) => {
  const attempt = (statement: string) =>
    as(app, 1, async () => `${(await app.query(statement)).rowCount} rows`).catch(
      (error: Error) => error.message,
    );
  for (const tenant of ['= 2', '<> 1']) {
    const outcomes = await ofEach(whole(tables), async ({ name, tenantColumn: column }) => [
      await attempt(`update ${name} set ${column} = ${column} where ${column} ${tenant}`),
      await attempt(`delete from ${name} where ${column} ${tenant}`),
    ]);
    for (const outcome of Object.values(outcomes).flat()) {
      expect(outcome).toMatch(/^(0 rows|permission denied .*)$/);
    }
  }
});

test('the role of the server owns nothing and does not bypass row-level security', async ({ owner }) => {
  const { rows: roles } = await owner.query(`
    select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication from pg_roles
    where rolname in ('tocsin_app', 'tocsin_cross_tenant') order by 1`);
  const powerless = {
    rolsuper: false,
    rolbypassrls: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolcanlogin: false,
    rolreplication: false,
  };
  expect(roles).toEqual([
    { rolname: 'tocsin_app', ...powerless },
    { rolname: 'tocsin_cross_tenant', ...powerless },
  ]);
  const { rows: reach } = await owner.query(`
    select count(*) filter (where pg_has_role('tocsin_app', c.relowner, 'member')) as owned,
           count(*) filter (where has_table_privilege('tocsin_app', c.oid, 'truncate, references, trigger')) as more,
           bool_or(has_schema_privilege('tocsin_app', 'public', 'create')) as creates,
           pg_has_role('tocsin_app', 'tocsin_cross_tenant', 'member') as cross_tenant
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`);
  expect(reach).toEqual([{ owned: '0', more: '0', creates: false, cross_tenant: false }]);
});

test('the tenant of one request does not stay on the connection for the next', async ({ url, tables }) => {
  const database = openDatabase({ url, connections: 1 });
  const seen = async () => {
    const counts = await Promise.all(
      tables
        .filter(({ partition }) => !partition)
        .map(({ name }) => database.pool.query(`select 1 from ${name} limit 1`)),
    );
    return counts.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0);
  };
  const stations = (tenantId: number) =>
    inTenant(database, tenantId, (transaction) =>
      transaction.selectFrom('stations').select('tenantId').execute(),
    );

  expect(await stations(1)).toEqual([{ tenantId: 1 }]);
  expect(await seen()).toBe(0);
  await expect(
    inTenant(database, 1, async ({ client }) => void (await client.query('select 1 / 0'))),
  ).rejects.toThrow('division by zero');
  expect(await seen()).toBe(0);
  expect(await stations(2)).toEqual([{ tenantId: 2 }]);
  expect(
    await outsideTenants(database, (outside) => outside.selectFrom('stations').selectAll().execute()),
  ).toEqual([]);
  await database.close();
});
