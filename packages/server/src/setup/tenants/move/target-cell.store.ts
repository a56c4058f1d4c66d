/** The statements of a move in the database that the tenant comes to. */
import type pg from 'pg';
import { moveName } from './source-cell.store.ts';

/** Partitions for all months of the tenant: a row of a month without one would go to the partition of all others. */
export async function makeMonths(client: pg.ClientBase, from: Date): Promise<void> {
  await client.query(
    `select make_partitions($1, (extract(year from age(now(), $1)) * 12 + extract(month from age(now(), $1)))::integer + 1)`,
    [from],
  );
}

/**
 * Whether the number is or was that of another tenant. A tenant that was moved away from this cell may return to it, and is
 * known by the time of its creation.
 */
export async function isNumberTaken(
  client: pg.ClientBase,
  tenantId: number,
  createdAt: string,
): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    `select is_tenant_closed($1) or exists (
       select from tenants t left join moved_tenants m on m.number = t.id where t.id = $1
         and (m.state is null or m.state = 'moved' and t.created_at <> $2::timestamptz)) as taken`,
    [tenantId, createdAt],
  );
  return rows[0]?.taken ?? true;
}

/** Begins to copy the rows and to follow their changes. Triggers do not run: the rows that they have written are copied. */
export async function subscribe(
  client: pg.ClientBase,
  { tenantId, sourceUrl }: { tenantId: number; sourceUrl: string },
): Promise<void> {
  const name = moveName(tenantId);
  await client.query(
    `create subscription ${name} connection ${quoted(sourceUrl)} publication ${name}
     with (create_slot = false, slot_name = ${quoted(name)}, copy_data = true)`,
  );
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

export type CopyProgress = { tables: number; copied: number };

export async function readCopyProgress(client: pg.ClientBase, tenantId: number): Promise<CopyProgress> {
  const { rows } = await client.query<{ tables: string; copied: string }>(
    `select count(*) as tables, count(*) filter (where srsubstate = 'r') as copied
     from pg_subscription_rel r join pg_subscription s on s.oid = r.srsubid where s.subname = $1`,
    [moveName(tenantId)],
  );
  return { tables: Number(rows[0]?.tables ?? 0), copied: Number(rows[0]?.copied ?? 0) };
}

/** Ends the subscription, and leaves the slot to the other cell. */
export async function unsubscribe(client: pg.ClientBase, tenantId: number): Promise<void> {
  const name = moveName(tenantId);
  const { rows } = await client.query('select from pg_subscription where subname = $1', [name]);
  if (rows.length === 0) return;
  await client.query(`alter subscription ${name} disable`);
  await client.query(`alter subscription ${name} set (slot_name = none)`);
  await client.query(`drop subscription ${name}`);
}
