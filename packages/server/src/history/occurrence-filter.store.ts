import { type RawBuilder, sql } from 'kysely';
import { searchMatches } from '../postgres/collections/search.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { Period } from './period.ts';

/** The filter of a query. An identifier that does not exist matches nothing. */
export type OccurrenceFilter = Period & {
  /** The stations that the caller may see; undefined means all stations. */
  visibleStationIds?: readonly number[] | undefined;
  stationId?: number | undefined;
  dataServerId?: number | undefined;
  /** Includes all groups below it, as they are today. */
  tagGroupId?: number | undefined;
  callGroupId?: number | undefined;
  /** The user who acknowledged. */
  userId?: number | undefined;
  search?: string | undefined;
};

/** The texts that match a filter, and the number of occurrences of these and of all texts, over all time. */
export type MatchingTexts = { ids: number[]; occurrences: number; occurrencesOfAll: number };

/**
 * All filters except time and user apply to the text. Undefined if there is no such filter, or if every text matches: a
 * plant with a single station names it in each query.
 */
export async function findMatchingTexts(
  transaction: TenantTransaction,
  filter: OccurrenceFilter,
): Promise<MatchingTexts | undefined> {
  const conditions = textConditions(filter);
  if (conditions.length === 0) return undefined;
  const { rows } = await sql<MatchingTexts>`
    select coalesce(json_agg(x.id), '[]') as ids, coalesce(sum(k.occurrences), 0)::bigint as occurrences,
      (select coalesce(sum(occurrences), 0)::bigint from text_totals
        where tenant_id = ${transaction.tenantId}) as "occurrencesOfAll"
    from texts x join text_totals k on k.tenant_id = x.tenant_id and k.text_id = x.id
    where x.tenant_id = ${transaction.tenantId} and k.tenant_id = ${transaction.tenantId}
      and ${sql.join(conditions, sql` and `)}`.execute(transaction.withoutPlugins());
  const matching = rows[0];
  return matching && matching.occurrences < matching.occurrencesOfAll ? matching : undefined;
}

function textConditions(filter: OccurrenceFilter): RawBuilder<unknown>[] {
  const { visibleStationIds, stationId, dataServerId, tagGroupId, callGroupId, search } = filter;
  return [
    visibleStationIds && sql`x.station_id = any (${[...visibleStationIds]}::bigint[])`,
    stationId !== undefined && sql`x.station_id = ${stationId}`,
    dataServerId !== undefined && sql`x.data_server_id = ${dataServerId}`,
    tagGroupId !== undefined && sql`x.tag_group_id in (select tag_group_subtree(${tagGroupId}))`,
    callGroupId !== undefined && sql`${callGroupId} = any (x.call_group_ids)`,
    search && searchMatches('x.search_text', search),
  ].filter((condition) => typeof condition === 'object');
}

/**
 * Whether a column names one of the matching texts. Written so that PostgreSQL hashes them once: with a plain list of
 * thousands the planner would compare each of them with the statistics of every partition.
 */
export function isMatchingText(column: string, { ids }: MatchingTexts): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(column)} in (select unnest(${ids}::bigint[]))) is true`;
}
