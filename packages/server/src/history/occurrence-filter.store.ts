import { type RawBuilder, sql } from 'kysely';
import { searchMatches } from '../postgres/search.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { Period } from './period.ts';

/** Which occurrences a question is about. An identifier that names nothing matches nothing. */
export type OccurrenceFilter = Period & {
  /** What the one who asks may see; absent means all stations. */
  visibleStationIds?: readonly number[] | undefined;
  stationId?: number | undefined;
  dataServerId?: number | undefined;
  /** With all groups below it as they are today. */
  tagGroupId?: number | undefined;
  callGroupId?: number | undefined;
  /** Who acknowledged. */
  userId?: number | undefined;
  search?: string | undefined;
};

/** The texts whose occurrences a filter keeps, and how many occurrences they, and all texts, have of all time. */
export type PickedTexts = { ids: number[]; occurrences: number; occurrencesOfAll: number };

/**
 * Everything that is filtered by but time and user is a matter of the text. Undefined when nothing of it is asked, or
 * nothing is left out: a plant with one station names it in each question.
 */
export async function pickTexts(
  transaction: TenantTransaction,
  filter: OccurrenceFilter,
): Promise<PickedTexts | undefined> {
  const conditions = textConditions(filter);
  if (conditions.length === 0) return undefined;
  const { rows } = await sql<PickedTexts>`
    select coalesce(json_agg(x.id), '[]') as ids, coalesce(sum(k.occurrences), 0)::bigint as occurrences,
      (select coalesce(sum(occurrences), 0)::bigint from text_totals
        where tenant_id = ${transaction.tenantId}) as "occurrencesOfAll"
    from texts x join text_totals k on k.tenant_id = x.tenant_id and k.text_id = x.id
    where x.tenant_id = ${transaction.tenantId} and k.tenant_id = ${transaction.tenantId}
      and ${sql.join(conditions, sql` and `)}`.execute(transaction.withoutPlugins());
  const picked = rows[0];
  return picked && picked.occurrences < picked.occurrencesOfAll ? picked : undefined;
}

function textConditions(filter: OccurrenceFilter): RawBuilder<unknown>[] {
  const { visibleStationIds, stationId, dataServerId, tagGroupId, callGroupId, search } = filter;
  return [
    visibleStationIds && sql`x.station_id = any (${[...visibleStationIds]}::bigint[])`,
    stationId !== undefined && sql`x.station_id = ${stationId}`,
    dataServerId !== undefined && sql`x.data_server_id = ${dataServerId}`,
    tagGroupId !== undefined && sql`x.tag_group_id in (select tag_group_and_below(${tagGroupId}))`,
    callGroupId !== undefined && sql`${callGroupId} = any (x.call_group_ids)`,
    search && searchMatches('x.search_text', search),
  ].filter((condition) => typeof condition === 'object');
}

/**
 * Whether a column names one of the picked texts. Written so that PostgreSQL makes a hash of them once: with a plain
 * list of thousands it would weigh each of them against the statistics of every partition before it begins.
 */
export function isPicked(column: string, { ids }: PickedTexts): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(column)} in (select unnest(${ids}::bigint[]))) is true`;
}
