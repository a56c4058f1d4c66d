import { crc32 } from 'node:zlib';
import type pg from 'pg';

/** The tables that make a tenant able to take alarms and to call, in any order. */
const copied = [
  'stations',
  'data_servers',
  'users',
  'user_media',
  'call_groups',
  'call_group_members',
  'channels',
  'channel_health',
  'api_keys',
  'tags',
  'texts',
  'alarms',
  'id_counters',
  'configuration_versions',
  'tenant_counters',
];

/** The tables that tell what happened while tenant 1 was made. */
const emptied = [
  'call_attempts',
  'escalation_events',
  'escalations',
  'call_events',
  'journal',
  'occurrences',
  'text_months',
  'text_totals',
  'tag_years',
  'station_days',
  'group_days',
  'chatter_days',
  'tag_raises',
];

/** Makes the tenants 2 to `count` by copying the rows of tenant 1, because commands would take hours for thousands. */
export async function cloneTenants(client: pg.Client, count: number): Promise<void> {
  for (const table of emptied) await client.query(`delete from ${table}`);
  await client.query(`update alarms set state = 0, occurrence_id = 0`);
  await client.query(`update tenant_counters set seq = 0, occurrence_id = 0`);
  await copyRows(client, 'tenants', { key: 'id', count });
  await client.query(`update tenants set name = 'Tenant ' || id where id > 1`);
  for (const table of copied) await copyRows(client, table, { key: 'tenant_id', count });
}

/** Copies the rows of tenant 1 to the others. */
export async function copyRows(
  client: pg.Client,
  table: string,
  { key, count }: { key: string; count: number },
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select attname::text as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname <> $2`,
    [table, key],
  );
  const columns = rows.map(({ name }) => `"${name}"`).join(', ');
  await client.query(
    `insert into ${table} (${key}, ${columns})
     select tenant, ${columns} from ${table}, generate_series(2, $1::bigint) as tenant where ${key} = 1`,
    [count],
  );
}

/** The same API key in another tenant: its secret was copied, and its checksum covers the number of the tenant. */
export function keyOfTenant(key: string, tenant: number): string {
  const [prefix, , id, ...rest] = key.split('_');
  // The secret may contain the separator; the checksum is last.
  const secret = rest.slice(0, -1).join('_');
  const text = `${prefix}_${tenant}_${id}_${secret}`;
  return `${text}_${crc32(text).toString(16).padStart(8, '0')}`;
}
