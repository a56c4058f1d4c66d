import type { SoakPlant } from './soak.ts';
import { queryDatabase } from './sql/query-database.ts';

/** How the server and its database are at one moment. */
export type SoakSample = {
  residentBytes: number;
  /** p99 of the event loop's delay since the last sample. */
  loopDelayMs: number;
  connections: number;
  occurrences: number;
  /** Tables with their indexes. */
  tableBytes: number;
  rewrittenBytes: Record<(typeof rewrittenTables)[number], number>;
};

/** Their rows are changed in place by every alarm. */
export const rewrittenTables = ['alarms', 'tenant_counters', 'text_months', 'text_totals'] as const;

export async function takeSample({ databaseUrl, metricsUrl }: SoakPlant): Promise<SoakSample> {
  const metrics = await (await fetch(metricsUrl)).text();
  const metric = (name: string) => {
    const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1];
    if (value === undefined) throw new Error(`the server has no metric ${name}`);
    return Number(value);
  };
  const [database] = await queryDatabase<Omit<SoakSample, 'residentBytes' | 'loopDelayMs'>>(
    databaseUrl,
    `select
       (select count(*) from pg_stat_activity
         where datname = current_database() and application_name = 'tocsin')::integer as connections,
       (select coalesce(sum(occurrence_id), 0) from tenant_counters)::integer as occurrences,
       (select sum(pg_total_relation_size(relid)) from pg_stat_user_tables)::float8 as "tableBytes",
       (select json_object_agg(name, (select sum(pg_total_relation_size(relid)) from pg_stat_user_tables
           where coalesce(pg_partition_root(relid), relid) = name::regclass))
         from unnest(array[${rewrittenTables.map((table) => `'${table}'`).join(', ')}]) as name) as "rewrittenBytes"`,
  );
  if (!database) throw new Error('the database returned nothing');
  return {
    residentBytes: metric('process_resident_memory_bytes'),
    loopDelayMs: metric('nodejs_eventloop_lag_p99_seconds') * 1_000,
    ...database,
  };
}
