import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';

/** A table of an export: the number and hash of its rows, and the rows. */
export type ExportedTable = { name: string; count: number; sha256: string; rows: string[] };

export async function readExportFile(file: string): Promise<Map<string, ExportedTable>> {
  const lines = gunzipSync(await readFile(file))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .slice(1, -1);
  const tables = new Map<string, ExportedTable>();
  let rows: string[] = [];
  for (const line of lines) {
    if (line.startsWith('{"table":')) rows = [];
    else if (line.startsWith('{"endOf":')) {
      const end = JSON.parse(line) as { endOf: string; rows: number; sha256: string };
      tables.set(end.endOf, { name: end.endOf, count: end.rows, sha256: end.sha256, rows });
    } else rows.push(line);
  }
  return tables;
}

/** The rows of each tenant in every table that has a column for the tenant. */
export async function countRows(databaseUrl: string): Promise<Record<string, Record<string, number>>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string; column: string }>(`
      select c.relname as name, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
        and a.attname = case c.relname when 'tenants' then 'id' else 'tenant_id' end
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`);
    const counts: Record<string, Record<string, number>> = {};
    for (const { name, column } of tables) {
      const { rows } = await client.query<{ tenant: string; count: string }>(
        `select ${column} as tenant, count(*) from ${name} group by 1 order by 1`,
      );
      counts[name] = Object.fromEntries(rows.map(({ tenant, count }) => [tenant, Number(count)]));
    }
    return counts;
  } finally {
    await client.end();
  }
}

/** All text in the tables of the installation, which belong to no tenant. */
export async function readCommonTables(databaseUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(`
      select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and c.relname <> 'tenants'
        and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id')`);
    const texts: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(
        `select row_to_json(t)::text as text from ${name} t`,
      );
      texts[name] = rows.map(({ text }) => text).join('\n');
    }
    return texts;
  } finally {
    await client.end();
  }
}
