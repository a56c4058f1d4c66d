import pg from 'pg';
import { test as base, expect } from 'vitest';
import { cloneDatabase } from '../testing/plant.fixture.ts';
import { openDatabase } from './database.ts';
import {
  commonTables,
  each,
  fillTables,
  ofEach,
  sampleRow,
  type TenantTable,
  tenantsSeen,
  tenantTables,
} from './tenant-tables.fixture.ts';
import { inTenant, outsideTenants } from './tenant-transaction.ts';

/** One database for the whole file: two tenants, each with a row in every table. Tests change nothing for good. */
const test = base
  .extend('clone', { scope: 'file' }, () => cloneDatabase())
  .extend('url', { scope: 'file' }, ({ clone: { url, drop } }, { onCleanup }) => {
    onCleanup(drop);
    return url;
  })
  .extend('owner', { scope: 'file' }, async ({ url }, { onCleanup }) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onCleanup(() => client.end());
    return client;
  })
  .extend('tables', { scope: 'file' }, async ({ owner }) => {
    const tables = await tenantTables(owner);
    for (const tenantId of [1, 2]) await fillTables(owner, tables, tenantId);
    return tables;
  })
  .extend('app', { scope: 'file' }, async ({ url }, { onCleanup }) => {
    const client = new pg.Client({ connectionString: url, options: '-c role=tocsin_app' });
    await client.connect();
    onCleanup(() => client.end());
    return client;
  });

/** Runs `work` as the server would for the tenant (none when undefined), and takes back whatever it did. */
async function as<Result>(
  client: pg.Client,
  tenantId: number | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('begin');
  try {
    if (tenantId !== undefined)
      await client.query("select set_config('tocsin.tenant', $1, true)", [String(tenantId)]);
    return await work();
  } finally {
    await client.query('rollback');
  }
}

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

test('the only other policies let the steward read, take what is due, and nobody else', async ({ owner }) => {
  const { rows } = await owner.query(`
    select tablename, roles::text[], cmd from pg_policies
    where schemaname = 'public' and policyname <> 'tenant_isolation' order by tablename`);
  const taken = ['call_attempts', 'call_directories', 'channel_watches', 'command_runs', 'duties'];
  const read = [
    'alarms',
    'api_keys',
    'audit_entries',
    'heads',
    'journal',
    'logins',
    'sessions',
    'system_alarms',
    'tenants',
    'tidings',
    'users',
    'warnings',
  ];
  expect(rows).toEqual(
    [...read, ...taken].toSorted().map((tablename) => ({
      tablename,
      roles: ['tocsin_steward'],
      cmd: taken.includes(tablename) ? 'ALL' : 'SELECT',
    })),
  );
});

test('the tables without a tenant are the few of the installation', async ({ owner }) => {
  expect(await commonTables(owner)).toEqual([
    'answer_secrets',
    'audit_keys',
    'hub_secrets',
    'installation_secrets',
    'login_failures',
    'migrations',
    'set_up_codes',
    'signing_keys',
  ]);
});

test('there are rows of both tenants in every table', async ({ owner, tables }) => {
  expect(tables.length).toBeGreaterThan(25);
  expect(partitions(tables).length).toBeGreaterThan(4);
  expect(await ofEach(tables, (table) => tenantsSeen(owner, table))).toEqual(each(tables, [1, 2]));
});

test('without a tenant, or with one that cannot be, the server sees no row of any table', async ({
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

test('the server cannot reach a partition past its table, and would see nothing more if it could', async ({
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

test('the role of the server neither owns anything nor passes row-level security', async ({ owner }) => {
  const { rows: roles } = await owner.query(`
    select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication from pg_roles
    where rolname in ('tocsin_app', 'tocsin_steward') order by 1`);
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
    { rolname: 'tocsin_steward', ...powerless },
  ]);
  const { rows: reach } = await owner.query(`
    select count(*) filter (where pg_has_role('tocsin_app', c.relowner, 'member')) as owned,
           count(*) filter (where has_table_privilege('tocsin_app', c.oid, 'truncate, references, trigger')) as more,
           bool_or(has_schema_privilege('tocsin_app', 'public', 'create')) as creates,
           pg_has_role('tocsin_app', 'tocsin_steward', 'member') as steward
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`);
  expect(reach).toEqual([{ owned: '0', more: '0', creates: false, steward: false }]);
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

test("the functions with rights of their own are these, not for everybody, and safe from a caller's schema", async ({
  owner,
}) => {
  const { rows } = await owner.query(`
    select p.proname as name, pg_get_userbyid(p.proowner) = 'tocsin_steward' as stewards,
           pg_get_function_result(p.oid) as answers, p.proconfig[1] as path,
           has_function_privilege('tocsin_app', p.oid, 'execute') as app,
           exists (select from aclexplode(p.proacl) where grantee = 0) as everybody
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef order by 1`);
  const some = 'TABLE(tenant_id bigint, id bigint, fence bigint)';
  const channel = 'TABLE(tenant_id bigint, channel_id bigint)';
  const owners: Record<string, string> = {
    drop_old_partitions: 'date',
    forget_audit_entries: 'TABLE(number bigint, hash bytea)',
    forget_command_runs: 'integer',
    histories_kept_from: 'timestamp with time zone',
    make_partitions: 'integer',
    refresh_statistics: 'integer',
  };
  const stewards: Record<string, string> = {
    audit_ends: 'TABLE(tenant_id bigint, number bigint, hash bytea)',
    attempts_to_hang_up: 'TABLE(tenant_id bigint, id bigint)',
    due_attempts: some,
    find_login: 'TABLE(counted_name text, tenant_id bigint, user_id bigint)',
    fresh_tidings: 'TABLE(tenant_id bigint)',
    journal_ends: 'TABLE(tenant_id bigint, seq bigint)',
    journal_places: 'TABLE(tenant_id bigint, seq bigint, known_at timestamp with time zone)',
    next_tenant_id: 'bigint',
    overdue_duties: 'TABLE(tenant_id bigint, duties bigint, oldest timestamp with time zone)',
    raised_system_alarms: 'SETOF bigint',
    standing_of: 'TABLE(place bigint, role text, station_ids bigint[])',
    stray_attempts: some,
    stray_command_runs: some,
    take_accepted_calls: 'TABLE(tenant_id bigint, id bigint)',
    take_attempts: some,
    take_channel_watches: channel,
    take_command_runs: some,
    take_command_runs_in_turns: some,
    take_duties: some,
    take_gap_watches: 'SETOF bigint',
    tenant_ids: 'SETOF bigint',
    tenants_with_expired_masks: 'SETOF bigint',
    troubled_channels: channel,
    untold_system_alarms: 'SETOF bigint',
    waiting_calls: 'TABLE(tenant_id bigint, queued bigint, unaccepted bigint)',
    warned_tenants: 'SETOF bigint',
  };
  const expected = Object.entries({ ...owners, ...stewards }).map(([name, answers]) => ({
    name,
    stewards: name in stewards,
    answers,
    path: 'search_path=public, pg_temp',
    app: true,
    everybody: false,
  }));
  expect(rows).toEqual(expected.toSorted((one, other) => (one.name < other.name ? -1 : 1)));
});

test("a caller cannot slip a table of his own into a steward's function", async ({ app }) => {
  const found = await as(app, 1, async () => {
    await app.query('create temp table logins (username_key text, tenant_id bigint, user_id bigint)');
    await app.query("insert into pg_temp.logins values ('intruder', 2, 1)");
    await app.query('grant select on pg_temp.logins to tocsin_steward');
    return (await app.query("select * from find_login('intruder')")).rows;
  });
  expect(found).toEqual([{ counted_name: 'intruder', tenant_id: null, user_id: null }]);
});

test('the steward can read three tables whole and write none', async ({ owner }) => {
  const { rows } = await owner.query<{ may: string }>(`
    select c.relname || ' ' || lower(privilege) as may from pg_class c,
      unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) as privilege
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and has_table_privilege('tocsin_steward', c.oid, privilege) order by 1`);
  expect(rows.map(({ may }) => may)).toEqual(['alarms select', 'logins select', 'tenants select']);
});

test('of users and keys the steward can read what they may do, and no password or key can be read', async ({
  owner,
}) => {
  const { rows } = await owner.query<{ may: string }>(`
    select c.relname || '.' || a.attname as may from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.oid = any ('{users,api_keys,sessions,heads}'::regclass[]) and a.attnum > 0
      and has_column_privilege('tocsin_steward', c.oid, a.attname, 'select') order by 1`);
  const may = {
    api_keys: ['expires_at', 'id', 'owner_id', 'revoked_at', 'role', 'station_ids', 'tenant_id'],
    heads: ['seq', 'tenant_id'],
    sessions: ['expires_at', 'id', 'revoked_at', 'tenant_id', 'user_id'],
    users: ['enabled', 'id', 'role', 'station_ids', 'tenant_id'],
  };
  const wanted = Object.entries(may).flatMap(([table, columns]) =>
    columns.map((column) => `${table}.${column}`),
  );
  expect(rows.map((row) => row.may)).toEqual(wanted);
});

test("the steward's functions tell what they say and no more", async ({ app }) => {
  const ask = async (question: string, tenantId?: number) =>
    as(app, tenantId, async () => (await app.query(question)).rows);
  for (const tenantId of [undefined, 1]) {
    const nobody = { tenant_id: null, user_id: null };
    expect(await ask("select * from find_login('of tenant 3')", tenantId)).toMatchObject([nobody]);
    expect(await ask("select * from find_login('%')", tenantId)).toMatchObject([nobody]);
    expect(await ask("select * from find_login('Of Tenant 2')", tenantId)).toEqual([
      { counted_name: 'of tenant 2', tenant_id: '2', user_id: '1' },
    ]);
    expect(await ask("select * from find_login('of tenant 2@1')", tenantId)).toMatchObject([nobody]);
    expect(await ask('select * from tenant_ids()', tenantId)).toEqual([
      { tenant_ids: '1' },
      { tenant_ids: '2' },
    ]);
    expect(await ask('select next_tenant_id()', tenantId)).toEqual([{ next_tenant_id: '3' }]);
    expect(await ask('select * from journal_ends(array[2, 3])', tenantId)).toEqual([
      { tenant_id: '2', seq: '1' },
    ]);
    expect(await ask("select tenants_with_expired_masks('1990-01-01')", tenantId)).toEqual([]);
    const expired = await ask("select tenants_with_expired_masks('2030-01-01') as id order by 1", tenantId);
    expect(expired).toEqual([{ id: '1' }, { id: '2' }]);
  }
});
