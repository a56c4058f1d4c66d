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

/** Ends what `publishTenant` began, also after a move that failed half-way. */
export async function unpublishTenant(client: pg.ClientBase, tenantId: number): Promise<void> {
  const name = moveName(tenantId);
  await client.query(
    `select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1 and not active`,
    [name],
  );
  await client.query(`drop publication if exists ${name}`);
}

/**
 * Transactions of the tenant that begin after the returned time are refused. Waits for the batch that is being written; other
 * transactions that began before may go on.
 */
export async function stopTenant(client: pg.ClientBase, tenantId: number): Promise<string> {
  await client.query('begin');
  try {
    await client.query('select from tenant_counters where tenant_id = $1 for update', [tenantId]);
    await client.query(`insert into moved_tenants values ($1, 'moved', clock_timestamp())`, [tenantId]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
  // After the commit: a transaction that began just before it does not see the row.
  const { rows } = await client.query<{ at: string }>('select clock_timestamp()::text as at');
  return rows[0]?.at ?? '';
}

export async function serveTenant(client: pg.ClientBase, tenantId: number): Promise<void> {
  await client.query('delete from moved_tenants where number = $1', [tenantId]);
}

/** Whether a transaction is open that began before this time, and may still write rows of the tenant. */
export async function hasOlderTransactions(client: pg.ClientBase, stoppedAt: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select exists (
       select from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
         and xact_start <= $1::timestamptz) as found`,
    [stoppedAt],
  );
  return rows[0]?.found ?? true;
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
