/**
 * Writes the row types of a freshly migrated database to `tables.gen.ts`, or checks with `--check` that they
 * are up to date.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { migrate } from '@tocsin/server/testing';
import pg from 'pg';
import { startCluster } from './postgres-cluster.ts';

const file = new URL('../packages/server/src/postgres/tables.gen.ts', import.meta.url);

type Column = { table: string; column: string; type: string; nullable: boolean; generated: boolean };

const typeNames: Record<string, string> = {
  bool: 'boolean',
  int4: 'number',
  int8: 'number',
  float8: 'number',
  text: 'string',
  uuid: 'string',
  timestamptz: 'Date',
  bytea: 'Buffer',
  json: 'Json',
  jsonb: 'Json',
  date: 'string',
  _int4: 'number[]',
  _int8: 'number[]',
  _text: 'string[]',
};

async function readColumns(url: string): Promise<Column[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Column>(`
    select c.relname as table, a.attname as column, t.typname as type, not a.attnotnull as nullable,
           a.atthasdef as generated
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'migrations'
    order by c.relname, a.attnum`);
  await client.end();
  return rows;
}

const camel = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

function member({ column, type, nullable, generated }: Column): string {
  const name = typeNames[type];
  if (name === undefined) throw new Error(`no type for ${type} of column ${column}`);
  const full = nullable ? `${name} | null` : name;
  return `    ${camel(column)}: ${generated ? `Generated<${full}>` : full};`;
}

function write(columns: Column[]): string {
  const tables = Map.groupBy(columns, ({ table }) => table);
  const body = [...tables].map(([table, own]) => `  ${camel(table)}: {\n${own.map(member).join('\n')}\n  };`);
  return [
    '// Written by `npm run tables` from the migrated database. Do not edit.',
    "import type { Generated } from 'kysely';",
    "import type { Json } from './json.ts';",
    '',
    `export type Tables = {\n${body.join('\n')}\n};`,
    '',
  ].join('\n');
}

const cluster = await startCluster();
try {
  await migrate(cluster.url(), { allowSuperuser: true });
  const text = write(await readColumns(cluster.url()));
  if (!process.argv.includes('--check')) {
    await writeFile(file, text);
  } else if ((await readFile(file, 'utf8')) !== text) {
    console.error('tables.gen.ts is stale: run `npm run tables`');
    process.exitCode = 1;
  }
} finally {
  await cluster.stop();
}
