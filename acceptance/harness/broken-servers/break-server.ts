import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { SiteSettings } from '../dispatch-chaos/chaos-site.ts';
import type { Break } from './breaks.ts';
import { applyPatches } from './source-patch.ts';

const hook = fileURLToPath(new URL('./break-hook.ts', import.meta.url));

/** Settings of a site whose servers are broken. */
export function breakServer({
  patches,
  functions = [],
  statements = [],
}: Pick<Break, 'patches' | 'functions' | 'statements'>): Required<
  Pick<SiteSettings, 'environment' | 'prepare'>
> {
  return {
    environment: {
      NODE_OPTIONS: `--import=${hook}`,
      TOCSIN_TEST_BREAK: JSON.stringify(patches),
    },
    prepare: async (databaseUrl) => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      for (const { name, text, by } of functions) {
        const { rows } = await client.query<{ source: string }>(
          'select pg_get_functiondef(oid) as source from pg_proc where proname = $1',
          [name],
        );
        await client.query(applyPatches(rows[0]?.source ?? '', [{ file: name, text, by }]));
      }
      for (const statement of statements) await client.query(statement);
      await client.end();
    },
  };
}
