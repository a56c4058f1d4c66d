import { askDatabase } from './ask-database.ts';
import type { SoakPlant } from './soak.ts';

/** How the server and its database are at one moment. */
export type SoakSample = {
  residentBytes: number;
  /** p99 of the event loop's delay since the last sample. */
  loopDelayMs: number;
  connections: number;
  occurrences: number;
  /** Tables with their indexes. */
  tableBytes: number;
};

export async function takeSample({ databaseUrl, metricsUrl }: SoakPlant): Promise<SoakSample> {
  const metrics = await (await fetch(metricsUrl)).text();
  const metric = (name: string) => {
    const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1];
    if (value === undefined) throw new Error(`the server tells no ${name}`);
    return Number(value);
  };
  const [database] = await askDatabase<Pick<SoakSample, 'connections' | 'occurrences' | 'tableBytes'>>(
    databaseUrl,
    `select
       (select count(*) from pg_stat_activity
         where datname = current_database() and application_name = 'tocsin')::integer as connections,
       (select coalesce(sum(occurrence_id), 0) from heads)::integer as occurrences,
       (select sum(pg_total_relation_size(relid)) from pg_stat_user_tables)::float8 as "tableBytes"`,
  );
  if (!database) throw new Error('the database told nothing');
  return {
    residentBytes: metric('process_resident_memory_bytes'),
    loopDelayMs: metric('nodejs_eventloop_lag_p99_seconds') * 1_000,
    ...database,
  };
}

/** Dead rows by living ones, of each table and of its partitions together. */
export async function deadShares(
  { databaseUrl }: SoakPlant,
  tables: readonly string[],
): Promise<{ table: string; dead: number; live: number }[]> {
  const wanted = tables.map((table) => `'${table}'`).join(', ');
  return askDatabase(
    databaseUrl,
    `select root as table, sum(n_dead_tup)::float8 as dead, sum(n_live_tup)::float8 as live
     from (select *, coalesce(pg_partition_root(relid), relid)::regclass::text as root from pg_stat_user_tables) s
     where root in (${wanted}) group by root order by root`,
  );
}
