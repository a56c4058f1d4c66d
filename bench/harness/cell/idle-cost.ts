import { setTimeout as sleep } from 'node:timers/promises';
import { queryDatabase } from '../sql/query-database.ts';

/** The statements of servers that nobody uses. */
export type IdleCost = {
  statements: number;
  transactions: number;
  /** The most frequent ones, for the report. */
  top: string;
};

export async function forgetStatements(databaseUrl: string): Promise<void> {
  await queryDatabase(databaseUrl, 'select pg_stat_statements_reset()');
}

/** Counts the statements of all servers since they were forgotten and for some seconds more, and gives them for a minute. */
export async function countStatements(databaseUrl: string, seconds: number): Promise<IdleCost> {
  await sleep(seconds * 1_000);
  const rows = await queryDatabase<{ query: string; calls: number }>(
    databaseUrl,
    `select regexp_replace(query, '\\s+', ' ', 'g') as query, sum(calls)::float8 as calls from pg_stat_statements
     where dbid = (select oid from pg_database where datname = current_database()) group by 1 order by 2 desc`,
  );
  const perMinute = (calls: number) => Math.round((calls * 60) / seconds);
  const callsOf = (fits: (query: string) => boolean) =>
    perMinute(rows.filter(({ query }) => fits(query)).reduce((sum, { calls }) => sum + calls, 0));
  return {
    statements: callsOf(() => true),
    transactions: callsOf((query) => /^begin/i.test(query)),
    top: rows
      .slice(0, 6)
      .map(({ query, calls }) => `${perMinute(calls)} × ${query.slice(0, 60)}`)
      .join('; '),
  };
}
