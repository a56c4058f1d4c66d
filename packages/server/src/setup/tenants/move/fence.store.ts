/** The fence: a database does not serve a tenant that has a row in `moved_tenants`. */
import type pg from 'pg';
import type { MovedState } from './move.ts';

/** Undefined for a tenant that this cell serves, or does not know. */
export async function readMovedState(
  client: pg.ClientBase,
  tenantId: number,
): Promise<MovedState | undefined> {
  const { rows } = await client.query<{ state: MovedState }>(
    'select state from moved_tenants where number = $1',
    [tenantId],
  );
  return rows[0]?.state;
}

/** The servers of the cell leave the tenant alone until it is complete. */
export async function expectTenant(client: pg.ClientBase, tenantId: number): Promise<void> {
  await client.query(
    `insert into moved_tenants values ($1, 'arriving', clock_timestamp())
     on conflict (number) do update set state = 'arriving', since = excluded.since`,
    [tenantId],
  );
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
