import type pg from 'pg';
import type { TenantTable } from '../tenant-catalog.store.ts';

/**
 * Deletes the rows of a tenant that is arriving, without triggers: nothing else in this database refers to them. Rows of a
 * tenant that is served here are never deleted.
 */
export async function deleteCopy(
  client: pg.ClientBase,
  tables: readonly TenantTable[],
  tenantId: number,
): Promise<void> {
  await client.query('begin');
  try {
    await client.query('set local session_replication_role = replica');
    const { rows } = await client.query(
      `select from moved_tenants where number = $1 and state = 'arriving' for update`,
      [tenantId],
    );
    if (rows.length === 0) throw new Error(`tenant ${tenantId} is not arriving in this cell`);
    for (const { name, tenantColumn } of tables)
      await client.query(`delete from ${name} where ${tenantColumn} = $1`, [tenantId]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
