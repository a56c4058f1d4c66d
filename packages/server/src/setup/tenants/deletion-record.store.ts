import { type OwnerClient, readActor } from './owner-connection.store.ts';

/** Records that the deletion of a tenant has begun, which also closes it. Does nothing if it has begun before. */
export async function recordStart(
  client: OwnerClient,
  { id, name }: { id: number; name: string },
): Promise<void> {
  await client.query(
    `insert into deleted_tenants (number, name, started_at, actor, audit_number, audit_hash)
     select $1::bigint, $2, clock_timestamp(), $3, coalesce(a.number, 0), a.hash
     from (select 1) x left join lateral (
       select number, hash from audit_entries where tenant_id = $1::bigint order by number desc limit 1) a on true
     on conflict (number) do nothing`,
    [id, name, await readActor(client)],
  );
}

/** Adds deleted rows to the record. */
export async function recordRows(
  client: OwnerClient,
  tenantId: number,
  table: string,
  count: number,
): Promise<void> {
  await client.query(
    `update deleted_tenants set row_counts = row_counts
       || jsonb_build_object($2::text, coalesce((row_counts ->> $2::text)::bigint, 0) + $3::bigint)
     where number = $1`,
    [tenantId, table, count],
  );
}

/** Completes the record, which cannot be changed afterwards, and returns the deleted rows by table. */
export async function recordEnd(client: OwnerClient, tenantId: number): Promise<Record<string, number>> {
  const { rows } = await client.query<{ rowCounts: Record<string, number> }>(
    `update deleted_tenants set finished_at = clock_timestamp() where number = $1
     returning row_counts as "rowCounts"`,
    [tenantId],
  );
  return rows[0]?.rowCounts ?? {};
}
