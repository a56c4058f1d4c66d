/** The statements of a move in the database that the tenant leaves. */
import type pg from 'pg';
import type { TenantTable } from '../tenant-catalog.store.ts';

/** The publication, the subscription and the replication slot of a move have this name. */
export const moveName = (tenantId: number) => `tocsin_move_${Math.trunc(tenantId)}`;

/** PostgreSQL would refuse changes of a published table whose primary key lacks the number of the tenant. */
export async function tablesWithoutTenantKey(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
       and a.attname = case c.relname when 'tenants' then 'id' else 'tenant_id' end
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary
         and a.attnum = any (i.indkey::smallint[]))
     order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Rows of other tenants never leave the database: the filter is applied where rows are read. */
export async function publishTenant(
  client: pg.ClientBase,
  tables: readonly TenantTable[],
  tenantId: number,
): Promise<void> {
  const rows = tables.map(
    ({ name, tenantColumn }) => `${name} where (${tenantColumn} = ${Math.trunc(tenantId)})`,
  );
  await client.query(
    `create publication ${moveName(tenantId)} for table ${rows.join(', ')} with (publish_via_partition_root = true)`,
  );
  await client.query(`select pg_create_logical_replication_slot($1, 'pgoutput')`, [moveName(tenantId)]);
}

/**
 * Ends what `publishTenant` began, also after a move that failed half-way. Returns whether nothing of it remains: PostgreSQL
 * keeps the slot while the other cell still reads from it.
 */
export async function unpublishTenant(client: pg.ClientBase, tenantId: number): Promise<boolean> {
  const name = moveName(tenantId);
  await client.query(
    `select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1 and not active`,
    [name],
  );
  await client.query(`drop publication if exists ${name}`);
  const { rows } = await client.query('select from pg_replication_slots where slot_name = $1', [name]);
  return rows.length === 0;
}

/** The end of the write-ahead log: everything that is committed now lies before it. */
export async function readLogEnd(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ lsn: string }>('select pg_current_wal_insert_lsn() as lsn');
  return rows[0]?.lsn ?? '';
}

/** The bytes of the log up to `lsn` that the other cell has not stored yet. */
export async function bytesBehind(client: pg.ClientBase, tenantId: number, lsn: string): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `select greatest(0, $2::pg_lsn - confirmed_flush_lsn) as bytes from pg_replication_slots where slot_name = $1`,
    [moveName(tenantId), lsn],
  );
  return Number(rows[0]?.bytes ?? Number.NaN);
}

export async function readCreation(client: pg.ClientBase, tenantId: number): Promise<string> {
  const { rows } = await client.query<{ at: string }>(
    'select created_at::text as at from tenants where id = $1',
    [tenantId],
  );
  const [row] = rows;
  if (!row) throw new Error(`there is no tenant ${tenantId}`);
  return row.at;
}

export type Position = { seq: number; occurrenceId: number; auditNumber: number };

/** The last numbers of the tenant, which both cells must agree on. */
export async function readPosition(client: pg.ClientBase, tenantId: number): Promise<Position> {
  const { rows } = await client.query<Record<keyof Position, string>>(
    `select seq, occurrence_id as "occurrenceId",
       coalesce((select max(number) from audit_entries where tenant_id = $1), 0) as "auditNumber"
     from tenant_counters where tenant_id = $1`,
    [tenantId],
  );
  const [row] = rows;
  if (!row) throw new Error(`tenant ${tenantId} has no counters`);
  const { seq, occurrenceId, auditNumber } = row;
  return { seq: Number(seq), occurrenceId: Number(occurrenceId), auditNumber: Number(auditNumber) };
}

/** A time in the first month that the tenant has rows of. */
export async function readOldestMonth(client: pg.ClientBase, tenantId: number): Promise<Date> {
  const { rows } = await client.query<{ at: Date }>(
    `select least((select min(raised_at) from occurrences where tenant_id = $1),
                  (select min(at) from journal where tenant_id = $1), clock_timestamp()) as at`,
    [tenantId],
  );
  const [row] = rows;
  if (!row) throw new Error('the database returned no time');
  return row.at;
}
