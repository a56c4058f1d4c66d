import type pg from 'pg';
import type { TenantTable } from './tenant-catalog.store.ts';

const rowsPerFetch = 500;

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

/** The rows of a tenant in a table, in the order of its key, each as a line of JSON without the number of the tenant. */
export async function* readRows(
  client: pg.ClientBase,
  { name, tenantColumn, columns, key }: TenantTable,
  tenantId: number,
): AsyncGenerator<string[]> {
  const order = key.length > 0 ? ` order by ${quoted(key)}` : '';
  await client.query(`declare exported_rows no scroll cursor for
    select row_to_json(r)::text as line from (
      select ${quoted(columns)} from ${name} where ${tenantColumn} = ${Math.trunc(tenantId)}${order}) r`);
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${rowsPerFetch} from exported_rows`);
    if (rows.length === 0) break;
    yield rows.map(({ line }) => line);
  }
  await client.query('close exported_rows');
}

/** Inserts rows of an export for a tenant. Foreign keys are checked after the statement. */
export async function insertRows(
  client: pg.ClientBase,
  { name, tenantColumn, columns }: TenantTable,
  { tenantId, lines }: { tenantId: number; lines: readonly string[] },
): Promise<void> {
  await client.query(
    `insert into ${name} (${tenantColumn}, ${quoted(columns)})
     select $1::bigint, ${quoted(columns)} from json_populate_recordset(null::${name}, $2::json)`,
    [tenantId, `[${lines.join(',')}]`],
  );
}

/** Deletes up to `limit` rows of a tenant from a table or partition, and returns their number. */
export async function deleteRows(
  client: pg.ClientBase,
  { part, tenantColumn }: { part: string; tenantColumn: string },
  { tenantId, limit }: { tenantId: number; limit: number | null },
): Promise<number> {
  const { rows } = await client.query<{ found: boolean }>(
    `select exists (select from ${part} where ${tenantColumn} = $1) as found`,
    [tenantId],
  );
  // Triggers of a statement run even if it deletes no row, and would write to other tables.
  if (rows[0]?.found !== true) return 0;
  const { rowCount } = await client.query(
    `delete from ${part} where ctid = any (array(select ctid from ${part} where ${tenantColumn} = $1 limit $2))`,
    [tenantId, limit],
  );
  return rowCount ?? 0;
}

type Sequence = { table: string; column: string; sequence: string };

/** Moves the sequences that number rows of all tenants beyond the numbers of this one. */
export async function advanceSequences(client: pg.ClientBase, tenantId: number): Promise<void> {
  const { rows } = await client.query<Sequence>(`
    select c.relname::text as table, a.attname::text as column,
      substring(pg_get_expr(d.adbin, d.adrelid) from 'nextval\\(''([^'']+)''') as sequence
    from pg_attrdef d join pg_class c on c.oid = d.adrelid
    join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    where c.relnamespace = 'public'::regnamespace and pg_get_expr(d.adbin, d.adrelid) like 'nextval(%'`);
  for (const { table, column, sequence } of rows) {
    // Others may take numbers at the same time: the margin keeps the sequence from moving back.
    await client.query(
      `select setval('${sequence}', x.highest + 1000) from (select max(${column}) as highest from ${table}
       where tenant_id = $1) x where x.highest > (select last_value from ${sequence})`,
      [tenantId],
    );
  }
}

/** Only within this transaction: the trail is otherwise never deleted. */
export async function allowAuditDeletion(client: pg.ClientBase): Promise<void> {
  await client.query("select set_config('tocsin.delete_audit_entries', 'on', true)");
}

export async function deleteTenantRow(client: pg.ClientBase, tenantId: number): Promise<void> {
  const { rowCount } = await client.query('delete from tenants where id = $1', [tenantId]);
  if (rowCount === 1)
    await client.query(
      `update deleted_tenants set row_counts = row_counts || '{"tenants": 1}' where number = $1`,
      [tenantId],
    );
}
