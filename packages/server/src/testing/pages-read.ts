import type pg from 'pg';

type Explained = {
  'QUERY PLAN': { Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }[];
};

/** The pages of tables, indexes and, the first time on a connection, of the catalog that PostgreSQL reads to run a statement. */
export async function pagesRead(
  client: Pick<pg.ClientBase, 'query'>,
  statement: string,
  values: unknown[] = [],
): Promise<number> {
  const { rows } = await client.query<Explained>(
    `explain (analyze, buffers, timing off, format json) ${statement}`,
    values,
  );
  const { Plan: plan } = rows[0]?.['QUERY PLAN'][0] ?? {};
  return (plan?.['Shared Hit Blocks'] ?? Number.NaN) + (plan?.['Shared Read Blocks'] ?? Number.NaN);
}
