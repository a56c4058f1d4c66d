import type pg from 'pg';
import { copyRows } from './clone-tenants.ts';

export type CellPast = { tenants: number; months: number; occurrences: number; knownTags: number };

/** Rows of one statement: it shall take seconds. */
const slice = 500_000;

/**
 * Gives every tenant the same share of the occurrences, evenly over the months up to now and over the known tags, all
 * reset and most of them acknowledged. Written by SQL, because through HTTP millions would take hours.
 */
export async function writeCellPast(
  client: pg.Client,
  { tenants, months, occurrences, knownTags }: CellPast,
  progress: (text: string) => void,
): Promise<void> {
  await client.query('select make_partitions(now() - make_interval(months => $1), $1)', [months]);
  const each = Math.max(1, Math.floor(occurrences / tenants));
  const step = Math.max(1, Math.floor(slice / tenants));
  for (let first = 1; first <= each; first += step) {
    const last = Math.min(each, first + step - 1);
    await client.query(
      `insert into occurrences (tenant_id, id, raised_at, tag_id, priority, text_id, acknowledged_at, ack_user_id, reset_at, repeats)
       select tenant, n, raised, 1 + n % ${knownTags}, 1 + n % 4, 1 + n % ${knownTags},
         case when n % 10 < 8 then raised + make_interval(secs => 20 + n % 1000) end,
         case when n % 10 < 8 then 1 end, raised + make_interval(secs => 60 + n % 7200), 0
       from (select tenant, n, now() - interval '3 hours' - make_interval(months => ${months}) * (1 - n / ${each}.0) as raised
         from generate_series($1::bigint, $2::bigint) n, generate_series(1, ${tenants}) tenant) s`,
      [first, last],
    );
    progress(
      `${(last * tenants).toLocaleString('en')} of ${(each * tenants).toLocaleString('en')} occurrences`,
    );
  }
  await client.query('update tenant_counters set occurrence_id = $1, last_at = now()', [each]);
  await client.query('analyze');
  progress('building sums');
  await writeSums(client, tenants);
  await raiseForever(client, { id: each + 1, months });
}

/** The path of the alarm that was raised in the oldest month and is active since then. */
export const foreverPath = 'Cell/Forever';

/** Keeps an alarm of tenant 1 active for the whole past. */
async function raiseForever(
  client: pg.Client,
  { id, months }: { id: number; months: number },
): Promise<void> {
  const { rows } = await client.query<{ tag: string; text: string }>(
    `select t.id as tag, x.id as text from tags t join texts x on x.tenant_id = t.tenant_id and x.tag_id = t.id
     where t.tenant_id = 1 and t.path = $1 order by x.id limit 1`,
    [foreverPath],
  );
  const [forever] = rows;
  if (!forever) throw new Error(`there is no tag ${foreverPath}`);
  const raised = `now() - interval '3 hours' - make_interval(months => ${months})`;
  await client.query(
    `insert into occurrences (tenant_id, id, raised_at, tag_id, priority, text_id, repeats)
     values (1, $1, ${raised}, $2, 1, $3, 0)`,
    [id, forever.tag, forever.text],
  );
  await client.query(
    `update alarms set state = 1, occurrence_id = $1, raised_at = ${raised} where tenant_id = 1 and tag_id = $2`,
    [id, forever.tag],
  );
  await client.query('update tenant_counters set occurrence_id = $1 where tenant_id = 1', [id]);
  await buildSums(client);
}

/** Builds the sums of tenant 1 and copies them: the tenants have the same past, and building them takes long. */
async function writeSums(client: pg.Client, tenants: number): Promise<void> {
  const empty = await tablesWithoutRows(client);
  await buildSums(client);
  const stillEmpty = new Set(await tablesWithoutRows(client));
  const sums = empty.filter((table) => !stillEmpty.has(table));
  for (const table of sums) await copyRows(client, table, { key: 'tenant_id', count: tenants });
}

async function buildSums(client: pg.Client): Promise<void> {
  await client.query("select set_config('tocsin.tenant', '1', false)");
  await client.query('select rebuild_roll_ups()');
  const close = () => client.query<{ closed: boolean }>('select close_month(month_of(now())) as closed');
  while ((await close()).rows[0]?.closed);
}

async function tablesWithoutRows(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition`,
  );
  const empty: string[] = [];
  for (const { name } of rows) {
    const found = await client.query(`select from ${name} limit 1`);
    if (found.rowCount === 0) empty.push(name);
  }
  return empty;
}
