import type pg from 'pg';

/** A table of the catalog; `partition` is true for a partition of another table. */
export type TenantTable = {
  name: string;
  /** The column that names the tenant: `id` in `tenants` itself. */
  tenantColumn: string;
  partition: boolean;
};

type Column = { name: string; type: string; generated: boolean };

/** Every table and partition whose rows belong to a tenant. */
export async function tenantTables(owner: pg.Client): Promise<TenantTable[]> {
  const { rows } = await owner.query<TenantTable>(`
    select c.relname as name, a.attname as "tenantColumn", c.relispartition as partition
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
      and a.attname = case c.relname when 'tenants' then 'id' else 'tenant_id' end
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by c.relname`);
  return rows;
}

/** The tables that belong to no tenant. */
export async function commonTables(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'tenants'
      and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id')
    order by c.relname`);
  return rows.map(({ name }) => name);
}

/** Puts one row of the tenant into every table, past row-level security and foreign keys. */
export async function fillTables(
  owner: pg.Client,
  tables: readonly TenantTable[],
  tenantId: number,
): Promise<void> {
  await owner.query('set session_replication_role = replica');
  for (const table of tables) {
    const sample = await sampleRow(owner, table, tenantId);
    const row = JSON.stringify(sample);
    const columns = Object.keys(sample).join(', ');
    await owner
      .query(
        `insert into ${table.name} (${columns}) overriding system value
         select ${columns} from json_populate_record(null::${table.name}, $1) on conflict do nothing`,
        [row],
      )
      .catch((error: unknown) => {
        throw new Error(`${table.name} does not accept ${row}: add a value to sampleRow`, {
          cause: error,
        });
      });
  }
  await owner.query('reset session_replication_role');
}

/** Columns that need a particular value. */
const givenValues: Record<string, unknown> = {
  end_minute: 2,
  incoming_id: 'user:2',
  ends_at: '2026-03-02T00:00:00Z',
  test_at: '10:00',
  // A stand-in is a team or a person.
  'roster_overrides.user_id': null,
  // A session is that of a desk, or of a person at one.
  'sessions.desk_name': null,
};

export async function sampleRow(
  owner: pg.Client,
  { name: table, tenantColumn }: TenantTable,
  tenantId: number,
): Promise<Record<string, unknown>> {
  const { rows } = await owner.query<Column>(
    `select a.attname as name, t.typname as type, a.attgenerated <> '' as generated
     from pg_attribute a join pg_type t on t.oid = a.atttypid
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped`,
    [table],
  );
  const closed = await closedSets(owner, table);
  const time = await timeWithin(owner, table);
  return Object.fromEntries(
    rows
      .filter(({ generated }) => !generated)
      .map(({ name, type }) => {
        if (name === tenantColumn) return [name, tenantId];
        const own = givenValues[`${table}.${name}`];
        if (own !== undefined) return [name, own];
        if (type === 'timestamptz') return [name, givenValues[name] ?? time];
        return [name, givenValues[name] ?? closed.get(name) ?? sampleValue(type, tenantId)];
      }),
  );
}

function sampleValue(type: string, tenantId: number): unknown {
  if (type.startsWith('_')) return '{}';
  const values: Record<string, unknown> = {
    bool: true,
    int2: 1,
    int4: 1,
    int8: 1,
    float8: 1,
    numeric: 1,
    date: '1999-12-31',
    text: `of tenant ${tenantId}`,
    uuid: crypto.randomUUID(),
    bytea: `\\x0${tenantId}`,
    json: {},
    jsonb: {},
  };
  if (!(type in values)) throw new Error(`no sample for a column of type ${type}`);
  return values[type];
}

/** The first allowed value of each column with a closed set of values. */
async function closedSets(owner: pg.Client, table: string): Promise<Map<string, string>> {
  const { rows } = await owner.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = $1::regclass and contype = 'c'`,
    [table],
  );
  return new Map(
    rows.flatMap(({ definition }) => {
      const [, column, first] = /\(\(?(\w+) = ANY \(ARRAY\['?([^',:\]]+)/.exec(definition) ?? [];
      return column !== undefined && first !== undefined ? [[column, first]] : [];
    }),
  );
}

/** A time that lies in the partition, if the table is one for a month. */
async function timeWithin(owner: pg.Client, table: string): Promise<string> {
  const { rows } = await owner.query<{ bound: string | null }>(
    'select pg_get_expr(relpartbound, oid) as bound from pg_class where oid = $1::regclass',
    [table],
  );
  const [, from] = /FROM \('([^']+)'\)/.exec(rows[0]?.bound ?? '') ?? [];
  return from ?? '1999-12-31T00:00:00Z';
}

/** The tenants whose rows the connection sees. */
export async function tenantsSeen(client: pg.Client, { name, tenantColumn }: TenantTable): Promise<number[]> {
  const { rows } = await client.query<{ tenant: string }>(
    `select distinct ${tenantColumn} as tenant from ${name} order by 1`,
  );
  return rows.map(({ tenant }) => Number(tenant));
}

/** Calls `ask` for one table after the other, because they share a connection. */
export async function ofEach<Answer>(
  tables: readonly TenantTable[],
  ask: (table: TenantTable) => Promise<Answer>,
): Promise<Record<string, Answer>> {
  const answers: Record<string, Answer> = {};
  for (const table of tables) answers[table.name] = await ask(table);
  return answers;
}

export const each = <Answer>(tables: readonly TenantTable[], answer: Answer) =>
  Object.fromEntries(tables.map(({ name }) => [name, answer]));
