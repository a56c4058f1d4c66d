import type pg from 'pg';

/** A table whose rows belong to tenants, as the catalog of PostgreSQL describes it. */
export type TenantTable = {
  readonly name: string;
  /** The column that names the tenant: `id` in `tenants` itself. */
  readonly tenantColumn: string;
  /** The other columns that are stored; columns that PostgreSQL calculates are left out. */
  readonly columns: readonly string[];
  /** The columns of the primary key, without that of the tenant. */
  readonly key: readonly string[];
  /** The tables that its foreign keys name. */
  readonly refersTo: readonly string[];
  /** The tables that hold its rows: its partitions, or the table itself. */
  readonly parts: readonly string[];
};

/**
 * Reads every table with rows of tenants from the catalog, not from a list: a table that a later migration adds is
 * exported and deleted without a change here.
 */
export async function readTenantTables(client: pg.ClientBase): Promise<TenantTable[]> {
  const { rows } = await client.query<TenantTable>(`
    select t.name, t."tenantColumn",
      array(
        select a.attname::text from pg_attribute a
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
          and a.attname <> t."tenantColumn"
        order by a.attnum) as columns,
      array(
        select a.attname::text from pg_index i cross join unnest(i.indkey) with ordinality as k(attnum, position)
        join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum
        where i.indrelid = t.oid and i.indisprimary and a.attname <> t."tenantColumn"
        order by k.position) as key,
      array(
        select distinct f.confrelid::regclass::text from pg_constraint f
        where f.conrelid = t.oid and f.contype = 'f') as "refersTo",
      coalesce(
        (select array_agg(p.relid::regclass::text order by p.relid::regclass::text) from pg_partition_tree(t.oid) p
          where p.isleaf),
        array[t.name]) as parts
    from (
      select c.oid, c.relname::text as name, a.attname::text as "tenantColumn"
      from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
        and a.attname = case c.relname when 'tenants' then 'id' else 'tenant_id' end
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    ) t
    order by t.name`);
  return rows;
}

/** The newest migration of the database: exports are restored into the same release only. */
export async function readLastMigration(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select max(name) as name from migrations');
  return rows[0]?.name ?? '';
}
