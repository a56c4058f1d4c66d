import type pg from 'pg';
import { readTenantTables } from '../tenants/tenant-catalog.store.ts';
import type { TenantContent } from './manifest.ts';

export type OwnerClient = pg.Client;

/** What each tenant has. The transaction of the login must see all rows. */
export async function readTenantContents(client: OwnerClient): Promise<TenantContent[]> {
  const { rows } = await client.query<{ id: string; name: string }>(
    'select id, name from tenants order by id',
  );
  const contents: TenantContent[] = [];
  for (const { id, name } of rows) contents.push(await readContent(client, { id: Number(id), name }));
  return contents;
}

/** Counts the rows of one tenant, also where row-level security shows no others. */
export async function readContent(
  client: OwnerClient,
  { id, name }: { id: number; name: string },
): Promise<TenantContent> {
  let count = 0;
  for (const { name: table, tenantColumn } of await readTenantTables(client)) {
    const { rows } = await client.query<{ count: string }>(
      `select count(*) from ${client.escapeIdentifier(table)} where ${client.escapeIdentifier(tenantColumn)} = $1`,
      [id],
    );
    count += Number(rows[0]?.count ?? 0);
  }
  const { rows } = await client.query<{ end: string }>(
    'select coalesce(max(seq), 0) as end from journal where tenant_id = $1',
    [id],
  );
  return { id, name, rows: count, journalEnd: Number(rows[0]?.end ?? 0) };
}

/** How many numbers are missing in the journal of a tenant, from the start of its histories on. */
export async function countJournalGaps(client: OwnerClient, tenantId: number): Promise<number> {
  const { rows } = await client.query<{ gaps: string }>(
    `select coalesce(max(seq) - min(seq) + 1 - count(*), 0) as gaps from journal where tenant_id = $1
     and at >= coalesce((select starts_at from history_starts where tenant_id = $1), '-infinity')`,
    [tenantId],
  );
  return Number(rows[0]?.gaps ?? 0);
}
